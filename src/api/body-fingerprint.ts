import { createHash } from 'node:crypto';
import { isLosslessNumber } from 'lossless-json';
import { normaliseDecimal } from '../domain/money/decimal-text.ts';

export interface FingerprintParts {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Numbers as LosslessNumber; undefined without a body. */
  readonly losslessBody: unknown;
  /**
   * Fields that may be written as a number or as a decimal string: "amount"; "items.*.amount" for one
   * of each element.
   */
  readonly decimalFields?: readonly string[];
}

/**
 * What makes two requests the same one: SHA-256 over method, path and the body as sent in the form
 * of RFC 8785 (members sorted, no blanks), with numbers as normalised decimals instead of doubles:
 * 10, 10.00 and, in a decimal field, "10.00" are one; 10 and 10.000000000000000001 are not.
 */
export function bodyFingerprint(parts: FingerprintParts): Buffer {
  const fields = new Set(parts.decimalFields ?? []);
  const body = parts.losslessBody;
  const text = body === undefined ? '' : canonical(body, '', fields);
  return createHash('sha256').update(`${parts.method} ${parts.path}\n${text}`).digest();
}

function canonical(value: unknown, at: string, decimalFields: ReadonlySet<string>): string {
  if (isLosslessNumber(value)) return normaliseDecimal(value.value);
  if (typeof value === 'string' && decimalFields.has(at)) return canonicalDecimal(value);
  if (Array.isArray(value)) {
    return `[${value.map((item) => canonical(item, below(at, '*'), decimalFields)).join(',')}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, item]) => {
      return `${JSON.stringify(name)}:${canonical(item, below(at, name), decimalFields)}`;
    });
  return `{${members.join(',')}}`;
}

/** Unquoted like a number, so that both spellings meet; other text keeps its quotes. */
function canonicalDecimal(text: string): string {
  const normal = normaliseDecimal(text);
  return PLAIN_DECIMAL.test(normal) ? normal : JSON.stringify(text);
}

const below = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);

const PLAIN_DECIMAL = /^[0-9]+(\.[0-9]+)?$/;
