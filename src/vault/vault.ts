import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_BYTES = 1;

export interface VaultKeys {
  /** Encryption keys of 32 bytes by a number 0-255; the current one seals, all of them open. */
  readonly encryption: ReadonlyMap<number, Buffer>;
  readonly currentKeyId: number;
  /** The pepper of every keyed hash: API tokens, link tokens, account fingerprints. */
  readonly pepper: Buffer;
}

/** Keeps what the database must not be able to read. */
export interface Vault {
  /** Seals bytes for one row: `row` (table and id) is authenticated, so a copy elsewhere won't open. */
  seal(plain: Uint8Array, row: string): Buffer;
  /** Opens what was sealed for the row. Throws if the bytes, the row or the key are not the same. */
  open(sealed: Uint8Array, row: string): Buffer;
  sealJson(value: unknown, row: string): Buffer;
  openJson<Value>(sealed: Uint8Array, row: string): Value;
  /** HMAC-SHA-256 under the pepper, kept apart by purpose: equal inputs are found, never read. */
  keyedHash(purpose: string, text: string): Buffer;
}

/** AES-256-GCM (NIST SP 800-38D) with random 96-bit nonces; layout: key id, nonce, tag, ciphertext. */
export function createVault(keys: VaultKeys): Vault {
  const keyOf = (id: number): Buffer => {
    const key = keys.encryption.get(id);
    if (key === undefined) throw new Error(`no encryption key with the id ${String(id)}`);
    if (key.length !== 32) throw new Error(`encryption key ${String(id)} is not 32 bytes long`);
    return key;
  };
  keyOf(keys.currentKeyId);
  if (keys.pepper.length < 32) throw new Error('the pepper is shorter than 32 bytes');

  const seal = (plain: Uint8Array, row: string): Buffer => {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, keyOf(keys.currentKeyId), nonce);
    cipher.setAAD(Buffer.from(row));
    const text = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([Buffer.from([keys.currentKeyId]), nonce, cipher.getAuthTag(), text]);
  };
  const open = (sealed: Uint8Array, row: string): Buffer => {
    const bytes = Buffer.from(sealed);
    const nonceEnd = KEY_ID_BYTES + NONCE_BYTES;
    const decipher = createDecipheriv(
      ALGORITHM,
      keyOf(bytes[0] ?? -1),
      bytes.subarray(KEY_ID_BYTES, nonceEnd),
    );
    decipher.setAAD(Buffer.from(row));
    decipher.setAuthTag(bytes.subarray(nonceEnd, nonceEnd + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(nonceEnd + TAG_BYTES)), decipher.final()]);
  };

  return {
    seal,
    open,
    sealJson: (value, row) => seal(Buffer.from(JSON.stringify(value)), row),
    openJson: <Value>(sealed: Uint8Array, row: string) =>
      JSON.parse(open(sealed, row).toString('utf8')) as Value,
    keyedHash: (purpose, text) =>
      createHmac('sha256', keys.pepper).update(purpose).update('\0').update(text).digest(),
  };
}
