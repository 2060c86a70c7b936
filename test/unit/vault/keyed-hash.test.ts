import { describe, expect, it } from 'vitest';
import { createKeyedHashes } from '../../../src/vault/keyed-hash.ts';
import { peppersOf, samplePepper } from '../../support/test-vault.ts';

const [OLD, NEW, NEXT] = [samplePepper(4), `1:${samplePepper(5)}`, `2:${samplePepper(6)}`];
const hashes = (setting: string) => createKeyedHashes(peppersOf(setting));

const before = hashes(OLD);
const told = hashes(`${NEW},${OLD}`);
const rotating = hashes(`${OLD},${NEW}`);
const after = hashes(`${OLD}:retired,${NEW}`);
const TEXT = ['mail-address', 'ada@partner.example'] as const;

describe('a keyed hash', () => {
  it('moves to a new pepper without what it was made of', () => {
    const moved = rotating.raiseHash(before.keyedHash(...TEXT));
    expect(moved).toEqual(rotating.keyedHash(...TEXT));
    expect(moved).toEqual(after.keyedHash(...TEXT));
    const next = hashes(`${OLD}:retired,${NEW},${NEXT}`);
    expect(next.raiseHash(moved)).toEqual(next.raiseHash(before.keyedHash(...TEXT)));
    expect(next.isKeyedHash(next.raiseHash(moved), ...TEXT)).toBe(true);
  });

  it('stays where it is under the last pepper, or under a later one', () => {
    const moved = rotating.keyedHash(...TEXT);
    expect(rotating.raiseHash(moved)).toBe(moved);
    expect(told.raiseHash(moved)).toBe(moved);
  });

  it('is found by processes that make new ones under different peppers', () => {
    for (const maker of [before, told]) {
      expect(told.isKeyedHash(maker.keyedHash(...TEXT), ...TEXT)).toBe(true);
      expect(rotating.isKeyedHash(maker.keyedHash(...TEXT), ...TEXT)).toBe(true);
    }
    expect(told.isKeyedHash(rotating.keyedHash(...TEXT), ...TEXT)).toBe(true);
    expect(told.keyedHashes(...TEXT)).toEqual(rotating.keyedHashes(...TEXT).toReversed());
    expect(told.briefHash(...TEXT)).toEqual(rotating.briefHash(...TEXT));
  });

  it('counts for nothing under a retired pepper, and is not looked for', () => {
    const forged = before.keyedHash(...TEXT);
    expect(after.isKeyedHash(forged, ...TEXT)).toBe(false);
    expect(after.keyedHashes(...TEXT)).toEqual([rotating.keyedHash(...TEXT)]);
    expect(after.briefHash(...TEXT)).toEqual(rotating.keyedHash(...TEXT));
  });

  it('is none that names a pepper which made it not', () => {
    const mislabelled = Buffer.concat([Buffer.from([1]), before.keyedHash(...TEXT)]);
    for (const hash of [mislabelled, Buffer.alloc(0), Buffer.alloc(33, 200), Buffer.alloc(32)]) {
      expect(rotating.isKeyedHash(hash, ...TEXT)).toBe(false);
    }
    expect(rotating.isKeyedHash(before.keyedHash('other', TEXT[1]), ...TEXT)).toBe(false);
  });

  it('does not change where a repeated request must come to it after years', () => {
    const references = [before, told, rotating, after].map((one) => one.steadyHash(...TEXT));
    expect(new Set(references.map((hash) => hash.toString('hex'))).size).toBe(1);
    expect(references[0]).toEqual(before.keyedHash(...TEXT));
  });

  it('follows an earlier one under the later pepper of the two', () => {
    const seal = rotating.keyedHash(...TEXT);
    expect(told.keyedHashAfter(seal, ...TEXT)).toEqual(seal);
    expect(rotating.keyedHashAfter(before.keyedHash(...TEXT), ...TEXT)).toEqual(seal);
    expect(before.keyedHashAfter(Buffer.alloc(33, 200), ...TEXT)).toEqual(
      before.keyedHash(...TEXT),
    );
  });
});
