import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { RawSignature } from './key-store.ts';

/**
 * An ECDSA signature of secp256k1 in DER (RFC 3279, 2.2.3: a sequence of two integers); null for any other bytes, an
 * integer with needless zeros or a sign among them, and for halves that the curve does not have.
 */
export function readDerSignature(bytes: Uint8Array): RawSignature | null {
  try {
    const { r, s } = secp256k1.Signature.fromDER(bytes);
    return { r, s };
  } catch {
    return null;
  }
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
