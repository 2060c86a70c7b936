import { readPeppers, type Peppers } from '../../src/domain/peppers.ts';
import { createVault, type Vault } from '../../src/vault/vault.ts';

/** A pepper that is plainly fake, in base64. */
export const samplePepper = (madeOf: number): string => Buffer.alloc(32, madeOf).toString('base64');

/** Peppers as the setting has them. */
export function peppersOf(setting: string): Peppers {
  const peppers = readPeppers(setting);
  if (peppers === null) throw new Error(`${setting} is no list of peppers`);
  return peppers;
}

/** The peppers of `createTestVault`. */
export const TEST_PEPPERS = peppersOf(samplePepper(2));

/** A vault with keys that are plainly fake. */
export function createTestVault(): Vault {
  return createVault({
    encryption: new Map([[1, Buffer.alloc(32, 1)]]),
    currentKeyId: 1,
    peppers: TEST_PEPPERS,
  });
}
