import { createPublicKey, type KeyObject } from 'node:crypto';

const PREFIX = 'whpk_';
const BYTES = 32;

/**
 * The encodings of points of small order, the sign bit aside: under such a key one signature verifies for
 * many messages. From libsodium's `ge25519_has_small_order`; the last three are not reduced.
 */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);

export const isPublicKey = (key: string): boolean => key.startsWith(PREFIX);

export const writePublicKey = (raw: Uint8Array): string =>
  PREFIX + Buffer.from(raw).toString('base64');

/**
 * The 32 bytes of a `whpk_` key. Throws RangeError where it is not just that, in canonical base64, or where
 * it is a key under which signing needs no private key.
 */
export function readPublicKey(key: string): Buffer {
  const text = isPublicKey(key) ? key.slice(PREFIX.length) : '';
  const raw = Buffer.from(text, 'base64');
  if (raw.length !== BYTES || raw.toString('base64') !== text) {
    throw new RangeError('a webhook public key is "whpk_" followed by the base64 of 32 bytes');
  }
  const withoutSign = Buffer.from(raw);
  withoutSign[BYTES - 1] = (raw[BYTES - 1] ?? 0) & 0x7f;
  if (SMALL_ORDER.has(withoutSign.toString('hex'))) {
    throw new RangeError('a webhook public key of small order: signing needs no private key');
  }
  return raw;
}

/** The key as node:crypto takes it. Throws RangeError as `readPublicKey`. */
export function importPublicKey(key: string): KeyObject {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: readPublicKey(key).toString('base64url') };
  return createPublicKey({ key: jwk, format: 'jwk' });
}
