import type { Variables } from './variables.ts';

const KEY_BYTES = 32;

/** The keys of the vault. */
export interface VaultConfig {
  readonly encryption: ReadonlyMap<number, Buffer>;
  readonly currentKeyId: number;
  readonly pepper: Buffer;
}

/**
 * Reads the keys of the vault. ENCRYPTION_KEYS is `1:<base64>,2:<base64>`: numbers 0 to 255 with keys
 * of 32 bytes, of which the last one seals and all of them open. PEPPER is base64 of 32 bytes or more.
 */
export function readVaultConfig(variables: Variables): VaultConfig {
  variables.required('ENCRYPTION_KEYS', '1:<base64 of 32 random bytes>: openssl rand -base64 32');
  const encryption = new Map<number, Buffer>();
  let currentKeyId = 0;
  for (const part of variables.list('ENCRYPTION_KEYS')) {
    const match = /^([0-9]{1,3}):(.*)$/.exec(part);
    const id = Number(match?.[1] ?? -1);
    if (match === null || id > 255 || encryption.has(id)) {
      variables.problem('ENCRYPTION_KEYS must be <number 0-255>:<base64>, each number once');
      continue;
    }
    const key = variables.bytes('ENCRYPTION_KEYS', match[2] ?? '', KEY_BYTES);
    if (key.length > KEY_BYTES) variables.problem('ENCRYPTION_KEYS has a key longer than 32 bytes');
    encryption.set(id, key);
    currentKeyId = id;
  }
  const pepper = variables.required('PEPPER', 'base64 of 32 random bytes: openssl rand -base64 32');
  const pepperBytes =
    pepper === '' ? Buffer.alloc(0) : variables.bytes('PEPPER', pepper, KEY_BYTES);
  return { encryption, currentKeyId, pepper: pepperBytes };
}
