import type { FastifyRequest } from 'fastify';
import { Refusal } from '../domain/errors/refusal.ts';
import { countHeader } from '../web/kit/http/count-header.ts';

// IETF draft-ietf-httpapi-idempotency-key-header leaves the syntax open; ours: printable ASCII.
const PRINTABLE_ASCII = /^[\x20-\x7e]{1,255}$/;

const PATH = '/header/idempotency-key';

/** The Idempotency-Key of a request, undefined without one; 400 for one that is malformed. */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  // Two of them arrive as one text with a comma in it: a key that the caller did not give, so a second payment.
  const isOne = typeof key === 'string' && countHeader(request.raw, 'idempotency-key') === 1;
  if (isOne && PRINTABLE_ASCII.test(key)) return key;
  const message = 'Give one Idempotency-Key of 1 to 255 printable ASCII characters.';
  throw new Refusal('invalid_idempotency_key', message, [
    { path: PATH, code: 'invalid_idempotency_key', message },
  ]);
}

/** The same where the key is required: 400 idempotency_key_required without one. */
export function requireIdempotencyKey(request: FastifyRequest): string {
  const key = idempotencyKeyOf(request);
  if (key !== undefined) return key;
  const message = 'The Idempotency-Key header is required for this request.';
  throw new Refusal('idempotency_key_required', message, [
    { path: PATH, code: 'idempotency_key_required', message },
  ]);
}
