import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { importPublicKey, writePublicKey } from './ed25519-public-key.ts';

const PREFIX = 'whsk_';
const SEED_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** Two during a rotation. Each costs a tenth of a millisecond, whichever client sends it. */
const SIGNATURES_MAX = 8;

export const isSigningKey = (key: string): boolean => key.startsWith(PREFIX);

/** A fresh private key, `whsk_` and the base64 of 32 bytes (the seed of RFC 8032, section 5.1.5). */
export function newSigningKey(randomBytes: (size: number) => Uint8Array): string {
  return PREFIX + Buffer.from(randomBytes(SEED_BYTES)).toString('base64');
}

/** The public half (`whpk_`) of a private key. Throws RangeError where that is none. */
export function publicKeyOf(signingKey: string): string {
  const { x = '' } = createPublicKey(importSigningKey(signingKey)).export({ format: 'jwk' });
  return writePublicKey(Buffer.from(x, 'base64url'));
}

/** Signs with one private key, which is read once: the base64 of Ed25519. Throws RangeError where the key is none. */
export function createEd25519Signer(signingKey: string): (content: Buffer) => string {
  const key = importSigningKey(signingKey);
  return (content) => sign(null, content, key).toString('base64');
}

/**
 * Whether one of the signatures (base64) is by one of the keys (`whpk_`). Throws RangeError for a key that
 * is none. A signature has one spelling, and S below the group's order: OpenSSL refuses the others.
 */
export function verifiesEd25519(
  publicKeys: readonly string[],
  signatures: readonly string[],
  content: Buffer,
): boolean {
  const keys = publicKeys.map(importPublicKey);
  const offered = signatures.flatMap(readSignature).slice(0, SIGNATURES_MAX);
  return offered.some((signature) => keys.some((key) => verify(null, content, key, signature)));
}

function readSignature(text: string): Buffer[] {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === SIGNATURE_BYTES && bytes.toString('base64') === text ? [bytes] : [];
}

function importSigningKey(key: string): KeyObject {
  const text = isSigningKey(key) ? key.slice(PREFIX.length) : '';
  const seed = Buffer.from(text, 'base64');
  if (seed.length !== SEED_BYTES || seed.toString('base64') !== text) {
    throw new RangeError('a webhook signing key is "whsk_" followed by the base64 of 32 bytes');
  }
  // As a JWK: OpenSSL takes ten times as long to read the same in DER. The public half is not looked at.
  const jwk = { kty: 'OKP', crv: 'Ed25519', d: seed.toString('base64url'), x: '' };
  return createPrivateKey({ key: jwk, format: 'jwk' });
}
