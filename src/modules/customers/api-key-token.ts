import { crc32 } from 'node:zlib';
import createBaseX from 'base-x';
import type { Environment } from '../../domain/scope.ts';

/** Random bytes that a new token takes: 32 for the secret, 9 for the public id. */
export const SECRET_BYTES = 32;
export const PUBLIC_ID_BYTES = 9;

/** Keeps the keyed hashes of tokens apart from others. */
export const API_KEY_PURPOSE = 'api-key';

const PUBLIC_ID_LENGTH = 12;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

const BASE62 = createBaseX('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');

interface ApiKeyToken {
  /** The whole text: shown once, never stored. */
  readonly token: string;
  readonly environment: Environment;
  /** Names the key in the open: 12 characters, stored and searched for. */
  readonly publicId: string;
  readonly last4: string;
}

/**
 * Makes a token: `cw_<test|live>_<12 public id>_<43 base62 of 32 random bytes><6 base62 CRC32>`. The
 * checksum is over everything before it, so that a mistyped or cut token costs no look-up, and
 * secret scanners can tell a real one. Throws RangeError for bytes of another length.
 */
export function buildApiKeyToken(
  environment: Environment,
  random: { readonly publicId: Uint8Array; readonly secret: Uint8Array },
): ApiKeyToken {
  if (random.publicId.length !== PUBLIC_ID_BYTES || random.secret.length !== SECRET_BYTES) {
    throw new RangeError('a token takes 9 and 32 random bytes');
  }
  // 62^12 is a little less than 2^72: a thirteenth digit is cut, and the bias does not matter here.
  const publicId = toBase62(random.publicId, PUBLIC_ID_LENGTH);
  const secret = toBase62(random.secret, SECRET_LENGTH);
  const unchecked = `cw_${environment}_${publicId}_${secret}`;
  const token = unchecked + checksumOf(unchecked);
  return { token, environment, publicId, last4: token.slice(-4) };
}

const TOKEN = /^cw_(test|live)_([0-9A-Za-z]{12})_[0-9A-Za-z]{49}$/;

/** Reads a token whose form and checksum are right; null for any other text. Says nothing of its truth. */
export function parseApiKeyToken(text: string): ApiKeyToken | null {
  const match = TOKEN.exec(text);
  const publicId = match?.[2];
  if (match === null || publicId === undefined) return null;
  const unchecked = text.slice(0, -CHECKSUM_LENGTH);
  if (checksumOf(unchecked) !== text.slice(-CHECKSUM_LENGTH)) return null;
  const environment = match[1] === 'live' ? 'live' : 'test';
  return { token: text, environment, publicId, last4: text.slice(-4) };
}

/** CRC-32/ISO-HDLC, the one of zip: "123456789" gives 0xcbf43926. */
function checksumOf(text: string): string {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(text));
  return toBase62(sum, CHECKSUM_LENGTH);
}

/** The last `length` digits of the big-endian number, padded with zeros on the left. */
function toBase62(bytes: Uint8Array, length: number): string {
  return BASE62.encode(bytes).padStart(length, '0').slice(-length);
}
