import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  LineOutcome,
  MatchCandidate,
  MatchLine,
} from '../../../src/domain/reconciliation/match-lines.ts';
import { NOTHING_BEFORE } from '../../../src/domain/reconciliation/net-lines.ts';
import { matchInSlices } from '../../support/reconciliation/counted-lines.ts';

const candidate: MatchCandidate = {
  paymentId: 'pay-1',
  reference: 'CWA01',
  minor: 1_000n,
  currency: 'EUR',
  attempt: 'SETTLED',
  areFundsReleased: false,
};
const resent = { ...candidate, reference: 'CWA02', attempt: 'OPEN' as const };
const rejected = { ...candidate, reference: 'CWA00', attempt: 'DEAD' as const };

type Draft = Omit<MatchLine, 'lineNumber'>;
const DEBIT: Draft = {
  reference: candidate.reference,
  amount: '10.00',
  currency: 'EUR',
  direction: 'DBIT',
  isReversal: false,
  isReturn: false,
  status: 'BOOK',
};
const CREDIT: Draft = { ...DEBIT, direction: 'CRDT', isReversal: true, isReturn: true };

const numbered = (drafts: readonly Draft[]): MatchLine[] =>
  drafts.map((draft, index) => ({ ...draft, lineNumber: index + 1 }));
const nameOf = (outcome: LineOutcome): string => {
  if (outcome.kind === 'EXCEPTION') return outcome.exception;
  return outcome.kind === 'RETURN' ? `RETURN ${String(outcome.minor)}` : outcome.kind;
};
const namesOf = (drafts: readonly Draft[], size?: number, before = NOTHING_BEFORE): string[] =>
  matchInSlices(numbered(drafts), [rejected, candidate, resent], size, before).map(nameOf);

const anyLine = fc.record({
  reference: fc.constantFrom('CWA00', 'CWA01', 'CWA02'),
  amount: fc.constantFrom('10.00', '10', '9.50', '10.01', '0', '9.501'),
  currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'USD'),
  direction: fc.constantFrom('DBIT' as const, 'CRDT' as const),
  isReversal: fc.boolean(),
  isReturn: fc.boolean(),
  status: fc.constantFrom('BOOK' as const, 'BOOK' as const, 'PDNG' as const),
});
const anyLinesTwice = fc
  .array(anyLine, { maxLength: 8 })
  .chain((lines) =>
    fc.tuple(
      fc.constant(lines),
      fc.shuffledSubarray(lines, { minLength: lines.length, maxLength: lines.length }),
    ),
  );
const anyBefore = fc.record({
  debits: fc.nat(2),
  credits: fc.nat(2),
  mismatches: fc.nat(1),
});

/** What a payment's lines change: exceptions move no money, and which name one has is no money. */
const moneyOf = (names: readonly string[]): string[] =>
  names
    .map((name) => (/^(?:RECONCILED|RETURN|OFFSET|IGNORED)/.test(name) ? name : 'EXCEPTION'))
    .sort();

describe("a payment's lines on one statement", () => {
  it('come to the same money in any order and in any slices', () => {
    fc.assert(
      fc.property(
        anyLinesTwice,
        anyBefore,
        fc.integer({ min: 1, max: 8 }),
        ([lines, shuffled], before, size) => {
          expect(moneyOf(namesOf(shuffled, size, before))).toEqual(
            moneyOf(namesOf(lines, undefined, before)),
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('are paid once, returned once, or too many, by what is left when they are netted', () => {
    const count = fc.nat(6);
    fc.assert(
      fc.property(count, count, fc.integer({ min: 1, max: 13 }), (debits, credits, size) => {
        const drafts = [...Array<Draft>(credits).fill(CREDIT), ...Array<Draft>(debits).fill(DEBIT)];
        const names = namesOf(drafts, size);
        const found = (name: string) => names.filter((one) => one === name).length;
        const isReturned = credits > 0 && debits <= credits;
        expect(found('RECONCILED')).toBe(Math.min(debits, 1));
        expect(found('RETURN 1000')).toBe(isReturned ? 1 : 0);
        const settled = found('RECONCILED') - found('RETURN 1000');
        expect(found('DUPLICATE_AT_BANK')).toBe(Math.abs(debits - credits - settled));
      }),
    );
  });

  it('never return a payment of which money is still at the beneficiary', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 8 }), anyBefore, (lines, before) => {
        const names = namesOf(lines, undefined, before);
        const booked = lines.filter(({ status }) => status === 'BOOK');
        const debits = booked.filter(({ direction }) => direction === 'DBIT').length;
        const credits = booked.filter((one) => one.direction === 'CRDT' && one.isReturn).length;
        if (before.debits + debits > before.credits + credits) {
          expect(names.filter((name) => name.startsWith('RETURN'))).toEqual([]);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('debited, taken back and debited again: paid once, nothing came back', () => {
    expect(namesOf([DEBIT, CREDIT, DEBIT])).toEqual(['RECONCILED', 'OFFSET', 'OFFSET']);
    expect(namesOf([CREDIT, DEBIT, DEBIT], 1)).toEqual(['OFFSET', 'RECONCILED', 'OFFSET']);
  });

  it('debited again under the next reference after the first was taken back: paid once', () => {
    const second = { ...DEBIT, reference: resent.reference };
    expect(namesOf([DEBIT, CREDIT, second])).toEqual(['RECONCILED', 'OFFSET', 'OFFSET']);
  });

  it('paid and returned less a fee after a correction: what came back is the part', () => {
    const part = { ...CREDIT, amount: '9.50' };
    expect(namesOf([DEBIT, CREDIT, DEBIT, part])).toEqual([
      'RECONCILED',
      'OFFSET',
      'OFFSET',
      'RETURN 950',
    ]);
  });

  it('two parts that came back do not say which is the return', () => {
    const part = { ...CREDIT, amount: '9.50' };
    expect(namesOf([DEBIT, DEBIT, part, part])).toEqual([
      'RECONCILED',
      'DUPLICATE_AT_BANK',
      'AMOUNT_MISMATCH',
      'AMOUNT_MISMATCH',
    ]);
  });

  it('a debit of another amount and its reversal are no return of the payment', () => {
    // A direct debit that the beneficiary draws under our reference, and that is undone.
    const drawn = { ...DEBIT, amount: '0.01' };
    const undone = { ...CREDIT, amount: '0.01' };
    expect(namesOf([drawn, undone])).toEqual(['AMOUNT_MISMATCH', 'AMOUNT_MISMATCH']);
    const before = { debits: 1, credits: 0, mismatches: 1 };
    expect(namesOf([undone], 1, before)).toEqual(['AMOUNT_MISMATCH']);
  });

  it('a double debit that a later statement corrects is no return', () => {
    const before = { debits: 2, credits: 0, mismatches: 0 };
    expect(namesOf([CREDIT], 1, before)).toEqual(['DUPLICATE_AT_BANK']);
    expect(namesOf([CREDIT, CREDIT], 1, before)).toEqual(['RETURN 1000', 'DUPLICATE_AT_BANK']);
  });

  it('a return that is taken back later is money that left unasked', () => {
    const before = { debits: 1, credits: 1, mismatches: 0 };
    const takenBack = { ...DEBIT, isReversal: true };
    expect(namesOf([takenBack], 1, before)).toEqual(['UNEXPECTED_AT_BANK']);
  });
});
