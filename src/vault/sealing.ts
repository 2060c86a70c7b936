import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MARK_BYTES = 1;

/** Seals and opens under one key. */
export interface Sealer {
  /** Seals bytes for one row: `row` (table and id) is authenticated, so a copy elsewhere won't open. */
  seal(plain: Uint8Array, row: string): Buffer;
  /** Opens what was sealed for the row. Throws if the bytes, the row or the key are not the same. */
  open(sealed: Uint8Array, row: string): Buffer;
  sealJson(value: unknown, row: string): Buffer;
  openJson<Value>(sealed: Uint8Array, row: string): Value;
}

/**
 * AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce. Layout: `mark` (one byte that says which key
 * it was), nonce, tag, ciphertext. `row` is authenticated.
 */
export function sealUnder(key: Buffer, mark: number, plain: Uint8Array, row: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  cipher.setAAD(Buffer.from(row));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.from([mark]), nonce, cipher.getAuthTag(), text]);
}

/** Opens what `sealUnder` sealed. Throws if the bytes, the row or the key are not the same. */
export function openUnder(key: Buffer, sealed: Uint8Array, row: string): Buffer {
  const bytes = Buffer.from(sealed);
  const nonceEnd = MARK_BYTES + NONCE_BYTES;
  const decipher = createDecipheriv(
    ALGORITHM,
    key,
    bytes.subarray(MARK_BYTES, nonceEnd),
    // A shorter tag would be easier to forge.
    { authTagLength: TAG_BYTES },
  );
  decipher.setAAD(Buffer.from(row));
  decipher.setAuthTag(bytes.subarray(nonceEnd, nonceEnd + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(nonceEnd + TAG_BYTES)), decipher.final()]);
}
