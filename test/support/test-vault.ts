import { createVault, type Vault } from '../../src/vault/vault.ts';

/** A vault with keys that are plainly fake. */
export function createTestVault(): Vault {
  return createVault({
    encryption: new Map([[1, Buffer.alloc(32, 1)]]),
    currentKeyId: 1,
    pepper: Buffer.alloc(32, 2),
  });
}
