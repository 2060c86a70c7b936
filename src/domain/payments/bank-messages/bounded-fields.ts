import { readMoment } from '../../moments.ts';

/** What a bank may say in free text is bounded before it goes anywhere. */

const BANK_REFERENCE = /^[\x21-\x7e]{1,64}$/;
const REASON = /^[A-Z0-9_]{1,40}$/;
const REFERENCE = /^[\x21-\x7e]{1,64}$/;
const DECIMAL = /^[0-9]{1,18}(?:\.[0-9]{1,13})?$/;
const INSTANT =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2})$/;

export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Printable ASCII of at most 64 characters without blanks, which a name would have; else dropped. */
export function readBankReference(value: unknown): string | undefined {
  return typeof value === 'string' && BANK_REFERENCE.test(value) ? value : undefined;
}

/** A code: upper case, "-" and "." become "_". Prose, which may name people: UNSPECIFIED. */
export function readReason(value: unknown): string {
  if (typeof value !== 'string' || value.length > 40) return 'UNSPECIFIED';
  const code = value.trim().toUpperCase().replace(/[-.]/g, '_');
  return REASON.test(code) ? code : 'UNSPECIFIED';
}

export function readReference(value: unknown): string | undefined {
  return typeof value === 'string' && REFERENCE.test(value) ? value : undefined;
}

/** A plain decimal of at most 18 and 13 digits (ISO 20022); null where it is absent; else undefined. */
export function readDecimal(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' && DECIMAL.test(value) ? value : undefined;
}

/** RFC 3339 with a zone, given back in UTC with milliseconds. */
export function readInstant(value: unknown): string | undefined {
  if (typeof value !== 'string' || !INSTANT.test(value)) return undefined;
  return readMoment(value)?.toISOString();
}
