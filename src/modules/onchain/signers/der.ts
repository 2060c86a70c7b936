import type { RawSignature } from './key-store.ts';

const SEQUENCE = 0x30;
const INTEGER = 0x02;

/**
 * An ECDSA signature in DER (RFC 3279, 2.2.3: a sequence of two integers); null for any other bytes, an
 * integer with needless zeros or a sign among them. Sizes are those of curves of 256 bits.
 */
export function readDerSignature(bytes: Uint8Array): RawSignature | null {
  if (bytes[0] !== SEQUENCE || bytes[1] !== bytes.length - 2) return null;
  const first = readInteger(bytes, 2);
  if (first === null) return null;
  const second = readInteger(bytes, first.end);
  return second?.end === bytes.length ? { r: first.value, s: second.value } : null;
}

function readInteger(
  bytes: Uint8Array,
  at: number,
): { readonly value: bigint; readonly end: number } | null {
  const length = bytes[at + 1] ?? 0;
  const end = at + 2 + length;
  if (bytes[at] !== INTEGER || length < 1 || length > 33 || end > bytes.length) return null;
  const [lead = 0, next = 0] = bytes.subarray(at + 2, end);
  const isNegative = lead >= 0x80;
  const isPadded = lead === 0 && length > 1 && next < 0x80;
  if (isNegative || isPadded) return null;
  return { value: BigInt(`0x${Buffer.from(bytes.subarray(at + 2, end)).toString('hex')}`), end };
}

/** SubjectPublicKeyInfo of a point of secp256k1 without compression, up to the point (RFC 5480, 2). */
const KEY_HEAD = Buffer.from('3056301006072a8648ce3d020106052b8104000a034200', 'hex');
const POINT_BYTES = 65;

/** The point of a public key in DER: 0x04 and 64 bytes; null unless it is one of secp256k1. */
export function readDerPublicKey(bytes: Uint8Array): Uint8Array | null {
  const isRight =
    bytes.length === KEY_HEAD.length + POINT_BYTES &&
    KEY_HEAD.equals(bytes.subarray(0, KEY_HEAD.length)) &&
    bytes[KEY_HEAD.length] === 4;
  return isRight ? Uint8Array.from(bytes.subarray(KEY_HEAD.length)) : null;
}
