import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fundingLines,
  holdLines,
  movementLines,
  totalOf,
  type LedgerLine,
  type PaymentMoney,
} from '../../../src/domain/ledger/movements.ts';

const anyMinor = fc.bigInt({ min: 1n, max: 10n ** 15n });
/** Of 0, 2 and 6 decimals: to a bank in one currency or two, to a wallet from a currency or an asset. */
const anyWay = fc.constantFrom(
  ...([
    ['SEPA', 'USD', 'USD'],
    ['SEPA', 'USD', 'EUR'],
    ['BASE', 'EUR', 'USDC'],
    ['BASE', 'JPY', 'USDC'],
    ['ETHEREUM', 'USDC', 'USDC'],
    ['POLYGON', 'EURC', 'USDT'],
    ['SEPA', 'USDC', 'EUR'],
  ] as const),
);
const anyPayment: fc.Arbitrary<PaymentMoney> = anyWay.chain(([rail, from, to]) =>
  fc
    .record({
      rail: fc.constant(rail),
      source: fc.record({ currency: fc.constant(from), minor: anyMinor }),
      target: fc.record({ currency: fc.constant(to), minor: anyMinor }),
      fees: fc.array(fc.record({ currency: fc.constant(from), minor: anyMinor }), { maxLength: 3 }),
      above: fc.option(anyMinor),
    })
    .map(({ above, ...payment }) => {
      const price = totalOf(payment).minor;
      const maxSourceAmount = above === null ? null : price + above;
      const target = from === to ? payment.source : payment.target;
      return { ...payment, target, maxSourceAmount };
    }),
);

/** What stands on each account and currency after lines. */
function sums(...movements: readonly (readonly LedgerLine[])[]): Map<string, bigint> {
  const totals = new Map<string, bigint>();
  for (const { account, currency, minor } of movements.flat()) {
    const name = `${account} ${currency}`;
    totals.set(name, (totals.get(name) ?? 0n) + minor);
  }
  return new Map([...totals].filter(([, minor]) => minor !== 0n));
}

const settle = (payment: PaymentMoney) => movementLines(payment, { kind: 'SETTLE' });
const giveBack = (payment: PaymentMoney, amount: bigint) =>
  movementLines(payment, { kind: 'RETURN', amount });

describe('every movement', () => {
  it('sums to zero in each currency and has no line of zero', () => {
    fc.assert(
      fc.property(anyPayment, anyMinor, (payment, some) => {
        const cameBack = some % (payment.target.minor + 1n);
        const all = [
          fundingLines('SEPA', payment.source),
          holdLines(payment),
          settle(payment),
          movementLines(payment, { kind: 'RELEASE' }),
          giveBack(payment, cameBack),
          movementLines(payment, { kind: 'RETURN_DIFFERENCE', amount: some }),
          movementLines(payment, { kind: 'RETURN_DIFFERENCE', amount: -some }),
        ];
        for (const lines of all) {
          const byCurrency = sums(lines.map((line) => ({ ...line, account: '' })));
          expect([...byCurrency]).toEqual([]);
          expect(lines.every(({ minor }) => minor !== 0n)).toBe(true);
        }
      }),
    );
  });
});

describe('a payment', () => {
  it('that is released leaves every account as it was, fees included', () => {
    fc.assert(
      fc.property(anyPayment, (payment) => {
        const released = movementLines(payment, { kind: 'RELEASE' });
        expect([...sums(holdLines(payment), released)]).toEqual([]);
      }),
    );
  });

  it('that is settled takes source and fees from the customer, and pays the target out', () => {
    const payment: PaymentMoney = {
      rail: 'SEPA',
      source: { currency: 'USD', minor: 1_100n },
      target: { currency: 'EUR', minor: 1_000n },
      fees: [{ currency: 'USD', minor: 25n }],
    };
    expect(Object.fromEntries(sums(holdLines(payment), settle(payment)))).toEqual({
      'available USD': -1_125n,
      'fx USD': 1_100n,
      'fx EUR': -1_000n,
      'nostro:SEPA EUR': 1_000n,
      'fees USD': 25n,
    });
  });

  it('to a wallet takes from the balance what it holds, and from the network what it pays', () => {
    fc.assert(
      fc.property(anyPayment, (payment) => {
        const { rail, source, target, fees } = payment;
        const after = sums(holdLines(payment), settle(payment));
        const total = fees.reduce((sum, { minor }) => sum + minor, source.minor);
        expect(after.get(`available ${source.currency}`)).toBe(-total);
        expect(after.get(`reserved ${source.currency}`)).toBeUndefined();
        expect(after.get(`nostro:${rail} ${target.currency}`)).toBe(target.minor);
        const isConverted = source.currency !== target.currency;
        expect(after.get(`fx ${source.currency}`)).toBe(isConverted ? source.minor : undefined);
        expect(after.get(`fx ${target.currency}`)).toBe(isConverted ? -target.minor : undefined);
      }),
    );
  });

  it('that came back whole gives the source amount back to the last unit, and keeps the fees', () => {
    fc.assert(
      fc.property(anyPayment, (payment) => {
        const after = sums(
          holdLines(payment),
          settle(payment),
          giveBack(payment, payment.target.minor),
        );
        const fees = payment.fees.reduce((sum, { minor }) => sum + minor, 0n);
        expect([...after]).toEqual(
          fees === 0n
            ? []
            : expect.arrayContaining([
                [`available ${payment.source.currency}`, -fees],
                [`fees ${payment.source.currency}`, fees],
              ]),
        );
        expect(after.size).toBe(fees === 0n ? 0 : 2);
      }),
    );
  });

  it('that came back in part never credits more than its share, rounded down', () => {
    fc.assert(
      fc.property(anyPayment, anyMinor, (payment, some) => {
        const cameBack = some % (payment.target.minor + 1n);
        const credit = giveBack(payment, cameBack).find(({ account }) => account === 'available');
        const share = (payment.source.minor * cameBack) / payment.target.minor;
        expect(credit?.minor ?? 0n).toBe(share);
      }),
    );
  });

  it('does not come back with more than was paid, nor with less than nothing', () => {
    const money = { currency: 'EUR', minor: 1_000n };
    const payment = { rail: 'SEPA', source: money, target: money, fees: [] };
    expect(() => giveBack(payment, 1_001n)).toThrow(RangeError);
    expect(() => giveBack(payment, -1n)).toThrow(RangeError);
  });

  it('whose return was credited too high or too low leaves the difference in suspense', () => {
    const money = { currency: 'EUR', minor: 1_000n };
    const payment = { rail: 'SEPA', source: money, target: money, fees: [] };
    const shown = (credited: bigint, amount: bigint) =>
      Object.fromEntries(
        sums(
          giveBack(payment, credited),
          movementLines(payment, { kind: 'RETURN_DIFFERENCE', amount: credited - amount }),
        ),
      );
    // The nostro account shows what the bank's statement shows.
    expect(shown(1_000n, 750n)).toEqual({
      'available EUR': 1_000n,
      'nostro:SEPA EUR': -750n,
      'suspense EUR': -250n,
    });
    expect(shown(700n, 750n)).toEqual({
      'available EUR': 700n,
      'nostro:SEPA EUR': -750n,
      'suspense EUR': 50n,
    });
  });
});
