import type { IdPrefix } from './ids.ts';

/** Crockford's base32 in lower case, as TypeID 0.3 writes it. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/** The first 48 of a UUIDv7's 128 bits are milliseconds (RFC 9562 section 5.7): with two bits of padding, ten digits. */
const TIME_DIGITS = 10;

/** When an id was made, in milliseconds since 1970. The id must have the form of one. */
export function idTimeMs(id: string): number {
  const suffix = id.slice(id.lastIndexOf('_') + 1);
  let ms = 0;
  for (const digit of suffix.slice(0, TIME_DIGITS)) {
    ms = ms * DIGITS.length + DIGITS.indexOf(digit);
  }
  return ms;
}

/** What sorts before every id of the prefix that was made at that moment or later, and after all others. */
export function idsFrom(prefix: IdPrefix, ms: number): string {
  let digits = '';
  for (let rest = ms; digits.length < TIME_DIGITS; rest = Math.floor(rest / DIGITS.length)) {
    digits = (DIGITS[rest % DIGITS.length] ?? '') + digits;
  }
  return `${prefix}_${digits}`;
}
