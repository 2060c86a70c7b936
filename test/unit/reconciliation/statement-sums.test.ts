import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkBatch } from '../../../src/domain/reconciliation/batch-sum.ts';
import { fromUnits, toUnits } from '../../../src/domain/reconciliation/decimal-units.ts';
import { isMissingAtBank } from '../../../src/domain/reconciliation/missing-at-bank.ts';
import { statementMinor } from '../../../src/domain/reconciliation/statement-amount.ts';
import { createStatementArithmetic } from '../../../src/domain/reconciliation/statement-arithmetic.ts';
import type { Direction } from '../../../src/domain/reconciliation/statement-types.ts';

const directionOf = (units: bigint): Direction => (units < 0n ? 'DBIT' : 'CRDT');

describe('a bank amount in minor units', () => {
  it.each([
    ['10.00000', 'EUR', 1_000n],
    ['10', 'EUR', 1_000n],
    ['10.5', 'EUR', 1_050n],
    ['0.00', 'EUR', 0n],
    ['100.00', 'JPY', 100n],
    ['1.00500', 'KWD', 1_005n],
    ['999999999999999999', 'JPY', 999_999_999_999_999_999n],
    ['92233720368547758.07', 'EUR', 9_223_372_036_854_775_807n],
  ])('%s %s is %s', (amount, currency, minor) => {
    expect(statementMinor({ amount, currency })).toEqual({ ok: true, minor });
  });

  it.each([
    ['10.001', 'EUR', 'too_precise'],
    ['1.5', 'JPY', 'too_precise'],
    ['-1', 'EUR', 'format'],
    ['1,00', 'EUR', 'format'],
    ['1e3', 'EUR', 'format'],
    ['', 'EUR', 'format'],
    ['1', 'XXQ', 'currency'],
    ['1234567890123456789', 'EUR', 'too_large'],
    ['92233720368547758.08', 'EUR', 'too_large'],
  ])('%s %s is refused: %s', (amount, currency, problem) => {
    expect(statementMinor({ amount, currency })).toEqual({ ok: false, problem });
  });
});

describe('exact sums of decimal text', () => {
  it('survive the way there and back', () => {
    const units = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
    fc.assert(
      fc.property(units, (drawn) => {
        const text = fromUnits(drawn);
        const back = toUnits(text.replace('-', ''));
        expect(text.startsWith('-') ? -back : back).toBe(drawn);
      }),
    );
  });
});

describe('opening + entries = closing', () => {
  const entries = fc.array(
    fc.record({
      cents: fc.bigInt({ min: 0n, max: 10n ** 12n }),
      direction: fc.constantFrom<Direction>('CRDT', 'DBIT'),
      status: fc.constantFrom('BOOK' as const, 'PDNG' as const, 'INFO' as const),
      linesInEntry: fc.integer({ min: 1, max: 3 }),
    }),
  );
  const cent = 10n ** 11n;
  const money = (units: bigint) => ({
    amount: fromUnits(units < 0n ? -units : units),
    currency: 'EUR',
    direction: directionOf(units),
  });

  it('holds exactly where nothing was left out, and else tells by how much it is off', () => {
    const off = fc.bigInt({ min: -1_000n, max: 1_000n });
    fc.assert(
      fc.property(
        entries,
        off,
        fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }),
        (list, by, start) => {
          const arithmetic = createStatementArithmetic();
          let units = start * cent;
          arithmetic.addBalance({ type: 'OPBD', ...money(units) });
          list.forEach(({ cents, direction, status, linesInEntry }, index) => {
            const amount = fromUnits(cents * cent);
            const entry = { number: index + 1, amount, currency: 'EUR', direction };
            for (let nth = 0; nth < linesInEntry; nth += 1) arithmetic.addEntry({ entry, status });
            if (status === 'BOOK') units += (direction === 'CRDT' ? cents : -cents) * cent;
          });
          arithmetic.addBalance({ type: 'CLBD', ...money(units + by * cent) });
          expect(arithmetic.check()).toMatchObject([{ difference: fromUnits(by * cent) }]);
        },
      ),
    );
  });

  it('keeps currencies apart and says where a balance is missing', () => {
    const arithmetic = createStatementArithmetic();
    const entry = { number: 1, amount: '5', currency: 'USD', direction: 'DBIT' as const };
    arithmetic.addBalance({ type: 'PRCD', ...money(0n) });
    arithmetic.addBalance({ type: 'ITBD', ...money(7n * cent) });
    arithmetic.addBalance({ type: 'CLBD', ...money(0n) });
    arithmetic.addEntry({ entry, status: 'BOOK' });
    expect(arithmetic.check()).toEqual([
      { currency: 'EUR', opening: '0', closing: '0', booked: '0', difference: '0' },
      { currency: 'USD', opening: null, closing: null, booked: '-5', difference: null },
    ]);
  });

  it('believes OPBD before PRCD, and the first opening before the next page', () => {
    const arithmetic = createStatementArithmetic();
    for (const [type, units] of [
      ['PRCD', 1n],
      ['OPBD', 2n],
      ['CLBD', 9n],
      ['OPBD', 9n],
      ['CLBD', 2n],
    ] as const) {
      arithmetic.addBalance({ type, ...money(units * cent) });
    }
    expect(arithmetic.check()).toMatchObject([
      { opening: '0.02', closing: '0.02', difference: '0' },
    ]);
  });
});

describe('a batch booking', () => {
  it.each([
    ['10.00', '10', { kind: 'BALANCED' }],
    ['10.00', '9.99', { kind: 'AMOUNT_MISMATCH', difference: '0.01' }],
    ['10.00', '-10', { kind: 'AMOUNT_MISMATCH', difference: '20' }],
    ['10.00', null, { kind: 'NOT_COMPARABLE' }],
  ])('of %s with transactions of %s: %j', (entryTotal, transactionsTotal, verdict) => {
    expect(checkBatch({ entryTotal, transactionsTotal })).toEqual(verdict);
  });
});

describe('a payment missing at the bank', () => {
  const cut = new Date('2026-11-03T00:00:00Z');
  const before = new Date(cut.getTime() - 1);

  it.each([
    [{ completedAt: before, isDebitBooked: false }, true],
    [{ completedAt: before, isDebitBooked: true }, false],
    [{ completedAt: cut, isDebitBooked: false }, false],
    [{ completedAt: null, isDebitBooked: false }, false],
    [{ completedAt: before, isDebitBooked: true, returnToldAt: before }, true],
    [{ completedAt: before, isDebitBooked: true, returnToldAt: cut }, false],
  ])('%j: %s', (payment, isMissing) =>
    expect(isMissingAtBank({ returnToldAt: null, ...payment }, cut)).toBe(isMissing),
  );
});
