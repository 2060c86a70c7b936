import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  creditorReference,
  findCreditorReferences,
  isCreditorReference,
  printedReference,
  REFERENCE_ALPHABET,
} from '../../../src/domain/ledger/funding/creditor-reference.ts';

const CHARACTERS = Array.from(REFERENCE_ALPHABET);

const anyReference = fc
  .array(fc.constantFrom(...CHARACTERS), { minLength: 14, maxLength: 14 })
  .map((body) => creditorReference(body.join('')));
const ANYTHING = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

describe('a creditor reference', () => {
  it('has the check digits of ISO 11649', () => {
    // The form is ISO 11649's: behind the body R counts 27, F 15 (here written out), then the digits.
    const reference = creditorReference('00000000000000');
    const digits = `${reference.slice(4)}2715${reference.slice(2, 4)}`;
    expect(BigInt(digits) % 97n).toBe(1n);
  });

  it('with one character wrong is no reference', () => {
    fc.assert(
      fc.property(
        anyReference,
        fc.nat({ max: 17 }),
        fc.constantFrom(...CHARACTERS),
        (reference, at, other) => {
          fc.pre(reference[at] !== other);
          const wrong = reference.slice(0, at) + other + reference.slice(at + 1);
          // A digit for a letter, or the other way round, makes another number of another length.
          const isSameKind = /[0-9]/.test(other) === /[0-9]/.test(reference[at] ?? '');
          if (isSameKind) expect(isCreditorReference(wrong)).toBe(false);
          else expect(wrong).not.toBe(reference);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it('with two neighbours exchanged is no reference', () => {
    fc.assert(
      fc.property(anyReference, fc.integer({ min: 4, max: 16 }), (reference, at) => {
        const [one = '', other = ''] = [reference[at], reference[at + 1]];
        fc.pre(one !== other && /[0-9]/.test(one) === /[0-9]/.test(other));
        const wrong = reference.slice(0, at) + other + one + reference.slice(at + 2);
        expect(isCreditorReference(wrong)).toBe(false);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is found in any text around it, in whatever case and groups', () => {
    const noise = fc.array(fc.constantFrom('ä', 'ß', '/', ' ', '.', 'x', '9', 'é', '\u00a0'), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(anyReference, noise, noise, fc.boolean(), (reference, before, after, isSmall) => {
        const written = isSmall ? printedReference(reference).toLowerCase() : reference;
        const text = `${before.join('')}${written}${after.join('')}`;
        expect(findCreditorReferences([text])).toContain(reference);
      }),
    );
  });

  it('is found once where it stands twice, and beside another one', () => {
    fc.assert(
      fc.property(anyReference, anyReference, (one, other) => {
        const found = findCreditorReferences([`${one} ${one}`, other]);
        expect(new Set(found)).toEqual(new Set([one, other]));
        expect(found.length).toBe(new Set(found).size);
      }),
    );
  });

  it('is not made up of what stands in different fields', () => {
    fc.assert(
      fc.property(anyReference, fc.integer({ min: 1, max: 17 }), (reference, at) => {
        const parts = [reference.slice(0, at), reference.slice(at)];
        expect(findCreditorReferences(parts)).toEqual([]);
      }),
    );
  });

  it('is in no text that has none: a flood of letters costs no time', () => {
    const flood = 'RF'.repeat(10_000);
    expect(findCreditorReferences([flood])).toEqual([]);
    expect(findCreditorReferences([ANYTHING])).toEqual([]);
  });
});
