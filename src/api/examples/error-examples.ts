import { ERRORS, type ErrorCode } from '../../domain/errors/registry.ts';
import type { Problem } from '../../domain/errors/refusal.ts';
import { exampleId } from './operation-example.ts';

/** Where the code is of one place of the request, and what it says beside. */
const PLACES: Readonly<Partial<Record<ErrorCode, Pick<Problem, 'path' | 'meta'>>>> = {
  validation_failed: { path: '/amount' },
  invalid_parameter: { path: '/query/limit' },
  invalid_cursor: { path: '/query/cursor' },
  unsupported_currency: { path: '/currency' },
  unsupported_network: { path: '/network' },
  unsupported_asset: { path: '/asset' },
  unsupported_country: { path: '/country' },
  invalid_address: { path: '/address', meta: { rule: 'CHECKSUM' } },
  amount_precision_exceeded: { path: '/amount' },
  idempotency_key_required: { path: '/header/idempotency-key' },
  invalid_idempotency_key: { path: '/header/idempotency-key' },
  resource_not_found: { path: '/endUserId' },
  rate_unavailable: { path: '/query/quote', meta: { currency: 'EUR' } },
};

/** The answer with a code, as the document shows it. */
export function errorExample(code: ErrorCode) {
  const message = ERRORS[code].description;
  const place = PLACES[code];
  const details = place === undefined ? [] : [{ ...place, code, message }];
  return {
    summary: message,
    value: { error: code, message, details, requestId: exampleId('req') },
  };
}
