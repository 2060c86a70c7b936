/** Crockford's base32 in upper case: digits and letters that are not taken for one another. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const HASH_DIGITS = 26;
const HASH_BYTES_MIN = 17;
const ATTEMPT_MAX = 99;

/** The references that attempts after this one have, in order: `count` of them, as far as there are. */
export function laterReferences(reference: string, count: number): string[] {
  const base = reference.slice(0, -2);
  const attempt = Number(reference.slice(-2));
  return Array.from({ length: count }, (_none, index) => attempt + index + 1)
    .filter((later) => later <= ATTEMPT_MAX)
    .map((later) => `${base}${String(later).padStart(2, '0')}`);
}

/**
 * The reference of one attempt: CW, the first 130 bits of a hash in base32, two digits of attempt. 30
 * characters of [A-Z0-9], so that it comes through ISO 20022's EndToEndId (35 at most) and a bank's
 * own character set unchanged. Throws RangeError outside attempts 1 to 99 and for fewer than 17 bytes.
 */
export function formatReference(hash: Uint8Array, attempt: number): string {
  if (hash.length < HASH_BYTES_MIN) throw new RangeError('the hash is too short');
  if (!Number.isInteger(attempt) || attempt < 1 || attempt > ATTEMPT_MAX) {
    throw new RangeError(`attempt must be 1 to ${String(ATTEMPT_MAX)}`);
  }
  const bits = [...hash].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const digits = Array.from({ length: HASH_DIGITS }, (_, index) =>
    DIGITS.charAt(parseInt(bits.slice(index * 5, index * 5 + 5), 2)),
  );
  return `CW${digits.join('')}${String(attempt).padStart(2, '0')}`;
}
