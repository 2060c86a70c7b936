import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFeeSchedule, type FeeRow } from '../../../src/domain/payments/fees/fee-schedule.ts';
import type { PaymentFee } from '../../../src/domain/payments/fees/payment-fee.ts';
import { priceOrder, totalOf } from '../../../src/domain/payments/price-order.ts';
import { priceAssetQuote } from '../../../src/domain/payments/quotes/price-asset-quote.ts';
import { priceQuote } from '../../../src/domain/payments/quotes/price-quote.ts';

const row = (more: Partial<FeeRow> = {}): FeeRow => ({
  ...{ type: 'SERVICE', currency: 'EUR', environment: null, rail: null, country: null },
  ...{ fixed: 0n, bps: 0, min: null, max: null },
  ...more,
});
const order = { environment: 'test', rail: 'SEPA', country: 'DE', currency: 'EUR' } as const;
const price = (rows: readonly FeeRow[], amount: bigint) =>
  priceOrder({ ...order, amount }, { schedule: createFeeSchedule(rows), quote: null });

describe('the price of a payment in one currency', () => {
  it('without a schedule is the amount, and nothing on top', () => {
    const plain = price([], 1_000n);
    expect(plain).toEqual({ source: { currency: 'EUR', minor: 1_000n }, rate: null, fees: [] });
    expect(totalOf(plain)).toBe(1_000n);
  });

  it('takes a fixed amount and a share, the share rounded up to the last unit', () => {
    const { fees } = price(
      [row({ fixed: 20n, bps: 30 }), row({ type: 'RAIL', fixed: 7n })],
      1_001n,
    );
    expect(fees).toEqual([
      { type: 'SERVICE', amount: '24', bps: 30 },
      { type: 'RAIL', amount: '7', bps: null },
    ]);
    expect(totalOf(price([row({ fixed: 20n, bps: 30 })], 1_001n))).toBe(1_025n);
  });

  it.each([
    ['no less than its minimum', { bps: 10, min: 50n }, 1_000n, '50'],
    ['no more than its maximum', { bps: 100, max: 75n }, 1_000_000n, '75'],
    ['the share between the two', { bps: 100, min: 5n, max: 75n }, 1_000n, '10'],
  ])('charges %s', (_what, more, amount, charged) => {
    expect(price([row(more)], amount).fees).toMatchObject([{ amount: charged }]);
  });

  it('charges nothing of another currency, rail, country or environment', () => {
    const others = [
      ...[row({ currency: 'USD', fixed: 1n }), row({ rail: 'SWIFT', fixed: 1n })],
      ...[row({ country: 'FR', fixed: 1n }), row({ environment: 'live', fixed: 1n })],
    ];
    expect(price(others, 1_000n).fees).toEqual([]);
  });

  it('takes the row that names most; of as many the rail, then the country', () => {
    const rows = [
      row({ fixed: 1n }),
      row({ environment: 'test', fixed: 2n }),
      row({ country: 'DE', fixed: 3n }),
      row({ rail: 'SEPA', fixed: 4n }),
      row({ country: 'DE', environment: 'test', fixed: 5n }),
      row({ rail: 'SEPA', environment: 'test', fixed: 6n }),
      row({ rail: 'SEPA', country: 'DE', fixed: 7n }),
      row({ rail: 'SEPA', country: 'DE', environment: 'test', fixed: 8n }),
    ];
    for (const count of [8, 7, 6, 5, 4, 3, 2, 1]) {
      for (const some of [rows.slice(0, count), rows.slice(0, count).reverse()]) {
        expect(price(some, 1_000n).fees).toMatchObject([{ amount: String(count) }]);
      }
    }
  });

  it('a row that costs nothing is no fee, and still the one that counts', () => {
    expect(price([row({ fixed: 9n }), row({ rail: 'SEPA' })], 1_000n).fees).toEqual([]);
  });
});

describe('the price of a payment by its quote', () => {
  const quoted = { sourceCurrency: 'USD', targetCurrency: 'EUR' };
  const terms = (amount: bigint, feeBps: number, fixedFee: bigint) => {
    const request = { ...quoted, fixedSide: 'TARGET', amount } as const;
    const priced = priceQuote(request, { midMarketRate: '0.9', markupBps: 50, feeBps, fixedFee });
    if (priced === null) throw new Error('a fixed target always has a price');
    return { ...quoted, network: null, ...priced };
  };

  it('is what the quote says to the last unit, whatever the schedule charges for its service', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 14n }),
        fc.integer({ min: 0, max: 5_000 }),
        fc.bigInt({ min: 0n, max: 100_000n }),
        (amount, feeBps, fixedFee) => {
          const quote = terms(amount, feeBps, fixedFee);
          const schedule = createFeeSchedule([
            row({ fixed: 99n }),
            row({ currency: 'USD', fixed: 9n }),
          ]);
          const priced = priceOrder({ ...order, amount }, { schedule, quote });
          expect(priced.source).toEqual({ currency: 'USD', minor: quote.convertedAmount });
          expect(priced.rate).toBe(quote.rate);
          expect(totalOf(priced)).toBe(quote.sourceAmount);
        },
      ),
    );
  });

  it('has the fee of its rail on top, in the source currency, which no quote knew', () => {
    const quote = terms(100_000n, 30, 50n);
    const rows = [
      row({ type: 'RAIL', currency: 'USD', rail: 'SWIFT', country: 'NG', fixed: 1_200n }),
      row({ type: 'RAIL', currency: 'USD', rail: 'SEPA', bps: 10 }),
      row({ type: 'RAIL', currency: 'EUR', rail: 'SEPA', fixed: 77n }),
    ];
    const priced = priceOrder(
      { ...order, amount: 100_000n },
      { schedule: createFeeSchedule(rows), quote },
    );
    // 10 basis points of 1,116.70 USD, rounded up.
    const ofRail = { type: 'RAIL', amount: '112', bps: 10 };
    expect(priced.fees.filter(({ type }) => type === 'RAIL')).toEqual([ofRail]);
    expect(totalOf(priced)).toBe(quote.sourceAmount + 112n);
  });

  const fromAsset = { sourceCurrency: 'USDC', targetCurrency: 'EUR' };
  const quotedAsset = (fees: readonly PaymentFee[]) => {
    const request = { ...fromAsset, fixedSide: 'TARGET', amount: 1_000n } as const;
    const priced = priceAssetQuote(request, { midMarketRate: '0.8', markupBps: 0 }, () => fees);
    if (priced === null) throw new Error('a fixed target always has a price');
    return { ...fromAsset, network: null, ...priced };
  };
  const ofAsset = (fees: readonly PaymentFee[], rows: readonly FeeRow[]) =>
    priceOrder(
      { ...order, amount: 1_000n },
      {
        schedule: createFeeSchedule(rows.map((one) => ({ ...one, currency: 'USDC' }))),
        quote: quotedAsset(fees),
      },
    ).fees;

  it('in an asset is raised to what its rail and country cost, and never lowered', () => {
    const service = { type: 'SERVICE', amount: '500', bps: null } as const;
    const rail = { type: 'RAIL', amount: '40', bps: null } as const;
    const rows = [
      row({ country: 'DE', fixed: 900n }),
      row({ type: 'RAIL', fixed: 40n }),
      row({ type: 'RAIL', rail: 'SEPA', fixed: 10n }),
    ];
    expect(ofAsset([service, rail], rows)).toEqual([{ ...service, amount: '900' }, rail]);
    expect(ofAsset([], rows.slice(0, 1))).toEqual([{ ...service, amount: '900' }]);
  });

  it('to a network has its fees in it: what the schedule says later adds nothing', () => {
    const rows = [row({ type: 'RAIL', currency: 'USD', fixed: 9n })];
    const quote = { ...terms(1_000n, 0, 0n), network: 'BASE' };
    const priced = priceOrder(
      { ...order, amount: 1_000n },
      { schedule: createFeeSchedule(rows), quote },
    );
    expect(totalOf(priced)).toBe(quote.sourceAmount);
  });

  it('is refused for another amount or currency', () => {
    const schedule = createFeeSchedule();
    const quote = terms(1_000n, 0, 0n);
    expect(() => priceOrder({ ...order, amount: 1_001n }, { schedule, quote })).toThrow(RangeError);
    const other = { ...order, currency: 'GBP', amount: 1_000n };
    expect(() => priceOrder(other, { schedule, quote })).toThrow(RangeError);
  });
});
