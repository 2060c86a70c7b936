import { Type, type Static } from 'typebox';
import { readPeppers, type Peppers } from '../../domain/peppers.ts';
import { secret } from './setting-types.ts';

export const KEY_BYTES = 32;

/** The most that KMS decrypts. */
const CIPHERTEXT_BYTES_MAX = 6_144;

/** A key as it is, or as AWS KMS has encrypted it. */
type GivenKey = { readonly plain: Buffer } | { readonly encrypted: Buffer };

/** The keys of the vault. */
export interface VaultConfig {
  readonly encryption: ReadonlyMap<number, GivenKey>;
  readonly currentKeyId: number;
  readonly peppers: Peppers;
}

export const VAULT = Type.Object({
  encryptionKeys: secret(
    'ENCRYPTION_KEYS',
    {
      must: '<number 0-254>:<base64 of 32 random bytes>, or <number>:kms:<base64 of what AWS KMS encrypted>, each number once: openssl rand -base64 32',
      unit: 'keys',
      description:
        'One or more keys, separated by commas: `1:<base64 of 32 bytes>`, or `1:kms:<base64>` for [a key that AWS KMS has encrypted](../how-to/operate.md#encrypt-the-keys-with-aws-kms). Number them from 0 to 254. The last key encrypts. Every key decrypts: [how to rotate them](../how-to/operate.md#rotate-encryption-keys).',
    },
    (given) => parseKeys(given) !== null,
  ),
  pepper: secret(
    'PEPPER',
    {
      must: 'base64 of 32 random bytes (openssl rand -base64 32), or a list of all peppers, no two of them equal: <base64>,1:<base64>',
      unit: 'keys',
      description:
        'Base64 of at least 32 bytes, or a list of every pepper from the first one on: `<base64>,1:<base64>`. The last one makes new hashes. `:retired` behind one ends the hashes under it. Remove none: [how to rotate it](../how-to/operate.md#rotate-the-pepper).',
    },
    (given) => readPeppers(given) !== null,
  ),
});

/** The keys as they are given. The last encryption key seals, and all of them open. */
export function vaultConfig(settings: Static<typeof VAULT>): VaultConfig {
  const encryption = parseKeys(settings.encryptionKeys) ?? new Map<number, GivenKey>();
  const currentKeyId = [...encryption.keys()].at(-1) ?? 0;
  const peppers = readPeppers(settings.pepper);
  if (peppers === null) throw new Error('PEPPER is no list of peppers');
  return { encryption, currentKeyId, peppers };
}

function parseKeys(value: string): Map<number, GivenKey> | null {
  const keys = new Map<number, GivenKey>();
  for (const part of value.split(',')) {
    const [, id = '', isKms, base64 = ''] = /^([0-9]{1,3}):(kms:)?(.*)$/.exec(part.trim()) ?? [];
    const bytes = parseBase64(base64);
    if (id === '' || Number(id) > 254 || keys.has(Number(id)) || bytes === null) return null;
    const isPlain = isKms === undefined;
    const isRight = isPlain ? bytes.length === KEY_BYTES : bytes.length <= CIPHERTEXT_BYTES_MAX;
    if (!isRight) return null;
    keys.set(Number(id), isPlain ? { plain: bytes } : { encrypted: bytes });
  }
  return keys;
}

function parseBase64(value: string): Buffer | null {
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(value) && value.length % 4 === 0;
  return isBase64 ? Buffer.from(value, 'base64') : null;
}
