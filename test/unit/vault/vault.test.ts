import { describe, expect, it } from 'vitest';
import { ErasedOwner, isErased, OWNER_MARK } from '../../../src/vault/owner-key.ts';
import { createVault, type VaultKeys } from '../../../src/vault/vault.ts';
import { TEST_PEPPERS } from '../../support/test-vault.ts';

const KEYS: VaultKeys = {
  encryption: new Map([[1, Buffer.alloc(32, 1)]]),
  currentKeyId: 1,
  peppers: TEST_PEPPERS,
};
const vault = createVault(KEYS);
const ada = { endUserId: 'eu_ada', ownerKey: vault.newOwnerKey('eu_ada') };
const bob = { endUserId: 'eu_bob', ownerKey: vault.newOwnerKey('eu_bob') };
const erased = { endUserId: 'eu_ada', ownerKey: Buffer.alloc(0) };
const ROW = 'payments/pay_1';
const sealed = vault.of(ada).seal(Buffer.from('Sample'), ROW);

describe("an end-user's key", () => {
  it('opens what was sealed under it, in the row that it was sealed for', () => {
    expect(vault.of(ada).open(sealed, ROW).toString()).toBe('Sample');
    expect(() => vault.of(ada).open(sealed, 'payments/pay_2')).toThrow();
  });

  it("is needed: neither the vault's own key nor another end-user's opens it", () => {
    expect(sealed[0]).toBe(OWNER_MARK);
    expect(() => vault.open(sealed, ROW)).toThrow();
    expect(() => vault.of(bob).open(sealed, ROW)).toThrow();
    // Without its mark the bytes are no more of the vault's own.
    const relabelled = Buffer.concat([Buffer.from([1]), sealed.subarray(1)]);
    expect(() => vault.open(relabelled, ROW)).toThrow();
  });

  it('is random: two end-users never share one, and a wrapped one fits no other end-user', () => {
    expect(ada.ownerKey.equals(vault.newOwnerKey('eu_ada'))).toBe(false);
    expect(() => vault.of({ ...ada, endUserId: 'eu_bob' }).open(sealed, ROW)).toThrow();
  });

  it('opens what the vault sealed before there were keys of end-users', () => {
    const before = vault.seal(Buffer.from('older'), ROW);
    expect(vault.of(ada).open(before, ROW).toString()).toBe('older');
    const keyless = { endUserId: 'eu_old', ownerKey: null };
    expect(vault.of(keyless).open(before, ROW).toString()).toBe('older');
    expect(vault.open(vault.of(keyless).seal(Buffer.from('new'), ROW), ROW).toString()).toBe('new');
  });

  it('once destroyed opens and seals nothing, not even what the vault itself could open', () => {
    expect(isErased(erased)).toBe(true);
    expect(() => vault.of(erased).open(sealed, ROW)).toThrow(ErasedOwner);
    const before = vault.seal(Buffer.from('older'), ROW);
    expect(() => vault.of(erased).open(before, ROW)).toThrow(ErasedOwner);
    expect(() => vault.of(erased).seal(Buffer.from('late'), ROW)).toThrow(ErasedOwner);
  });
});

describe("the vault's own keys", () => {
  it('are changed without sealing anything anew: the older one still unwraps', () => {
    const encryption = new Map([...KEYS.encryption, [7, Buffer.alloc(32, 7)]]);
    const rotated = createVault({ ...KEYS, encryption, currentKeyId: 7 });
    expect(rotated.of(ada).open(sealed, ROW).toString()).toBe('Sample');
    expect(rotated.newOwnerKey('eu_new')[0]).toBe(7);
    expect(vault.newOwnerKey('eu_new')[0]).toBe(1);
  });

  it('are named where one is missing, in the code that logs show', () => {
    const other = createVault({
      ...KEYS,
      encryption: new Map([[7, Buffer.alloc(32, 7)]]),
      currentKeyId: 7,
    });
    const code = 'ENCRYPTION_KEY_1_MISSING';
    const byOne = vault.seal(Buffer.from('Sample'), ROW);
    expect(() => other.open(byOne, ROW)).toThrow(expect.objectContaining({ code }));
    expect(() => other.of(ada).open(sealed, ROW)).toThrow(expect.objectContaining({ code }));
  });

  it('have no number that marks what end-users own', () => {
    const encryption = new Map([[OWNER_MARK, Buffer.alloc(32, 1)]]);
    expect(() => createVault({ ...KEYS, encryption, currentKeyId: OWNER_MARK })).toThrow('255');
  });
});
