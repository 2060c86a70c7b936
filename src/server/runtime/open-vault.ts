import { openKmsDecrypter, type KmsDecrypter } from '../../adapters/kms/kms-decrypter.ts';
import { createVault, type Vault } from '../../vault/vault.ts';
import { ConfigError } from '../config/settings.ts';
import { KEY_BYTES, type VaultConfig } from '../config/vault-config.ts';

/**
 * Opens the vault. AWS KMS decrypts once the keys that it has encrypted; they stay in memory. `deadlineMs` is for all of
 * them. Throws ConfigError, which names every key that was not decrypted.
 */
export async function openVault(config: VaultConfig, deadlineMs?: number): Promise<Vault> {
  const encryption = new Map<number, Buffer>();
  const encrypted = new Map<number, Buffer>();
  for (const [number, key] of config.encryption) {
    if ('plain' in key) encryption.set(number, key.plain);
    else encrypted.set(number, key.encrypted);
  }
  if (encrypted.size > 0) {
    const kms = await openKmsDecrypter(deadlineMs);
    try {
      await decryptKeys(kms, encrypted, encryption);
    } finally {
      kms.close();
    }
  }
  return createVault({ ...config, encryption });
}

/** Adds the keys to `plain`. One after another: KMS limits how many it answers in a second. */
async function decryptKeys(
  kms: KmsDecrypter,
  encrypted: ReadonlyMap<number, Buffer>,
  plain: Map<number, Buffer>,
): Promise<void> {
  const problems: string[] = [];
  for (const [number, ciphertext] of encrypted) {
    // Whoever may decrypt something else with the same key of KMS cannot put it in this one's place.
    const context = { causeway: 'encryption-key', number: String(number) };
    const found = await kms.decrypt(ciphertext, context);
    const about = `ENCRYPTION_KEYS: AWS KMS did not decrypt key ${String(number)}`;
    if ('failure' in found) problems.push(`${about}: ${found.failure}`);
    else if (found.plain.length !== KEY_BYTES) {
      problems.push(`${about}: its answer is not ${String(KEY_BYTES)} bytes long`);
    } else plain.set(number, found.plain);
  }
  if (problems.length > 0) throw new ConfigError(problems);
}
