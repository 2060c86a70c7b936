import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { quoteTable } from '../../../src/domain/payments/fx/quote-table.ts';
import { formatRate, parseRate } from '../../../src/domain/payments/fx/rate.ts';
import { minorDigits } from '../../../src/domain/money/currencies.ts';
import { splitDecimal } from '../../../src/domain/money/decimal-text.ts';
import { customerRate } from '../../../src/domain/payments/quotes/customer-rate.ts';
import {
  priceQuote,
  type QuotePrice,
  type QuoteRequest,
} from '../../../src/domain/payments/quotes/price-quote.ts';
import { fixedFeeIn, isCharged } from '../../../src/domain/payments/quotes/quote-fees.ts';
import { createSnapshotSource } from '../../../src/adapters/fx/snapshot.ts';
import { noon } from '../../support/payments/legs.ts';
import { must } from '../../support/payments/must.ts';

const usdToEur = { sourceCurrency: 'USD', targetCurrency: 'EUR' };
const price = { midMarketRate: '0.9', markupBps: 50, feeBps: 30, fixedFee: 50n };

describe('a quote', () => {
  it('of 1,000.00 USD is what the documentation says', () => {
    const terms = priceQuote({ ...usdToEur, fixedSide: 'SOURCE', amount: 100_000n }, price);
    expect(terms).toEqual({
      ...{ ...price, rate: '0.8955', sourceAmount: 100_000n, convertedAmount: 99_651n },
      ...{ percentageFee: 299n, targetAmount: 89_237n, fees: [] },
    });
  });

  it('of 892.37 EUR to arrive costs the same 1,000.00 USD', () => {
    const terms = priceQuote({ ...usdToEur, fixedSide: 'TARGET', amount: 89_237n }, price);
    expect(terms).toMatchObject({ sourceAmount: 100_000n, convertedAmount: 99_651n });
    expect(terms).toMatchObject({ percentageFee: 299n, targetAmount: 89_237n });
  });

  it('without markup and fees is the mid-market rate and nothing else', () => {
    const free = { midMarketRate: '0.9', markupBps: 0, feeBps: 0, fixedFee: 0n };
    const terms = priceQuote({ ...usdToEur, fixedSide: 'SOURCE', amount: 101n }, free);
    expect(terms).toMatchObject({ rate: '0.9', convertedAmount: 101n, targetAmount: 90n });
    expect(terms).toMatchObject({ percentageFee: 0n });
  });

  it.each([
    ['the fixed fee', 50n],
    ['less than the fixed fee', 49n],
    ['a unit that is worth less than one', 51n],
  ])('of %s comes to nothing', (_what, amount) => {
    expect(priceQuote({ ...usdToEur, fixedSide: 'SOURCE', amount }, price)).toBeNull();
  });

  it('knows currencies without decimals and with three', () => {
    const yen = { sourceCurrency: 'JPY', targetCurrency: 'KWD', fixedSide: 'SOURCE' as const };
    const free = { midMarketRate: '0.002', markupBps: 0, feeBps: 0, fixedFee: 0n };
    expect(priceQuote({ ...yen, amount: 1_501n }, free)?.targetAmount).toBe(3_002n);
  });
});

describe('the rate that a customer gets', () => {
  it.each([
    ['1.1725', 0, '1.1725'],
    ['1.1725', 50, '1.1666375'],
    ['0.333333333333333333', 1, '0.333299999999999999'],
    ['1375000', 5_000, '687500'],
  ])('%s less %i basis points is %s', (mid, bps, rate) => {
    expect(customerRate(mid, bps)).toBe(rate);
  });
});

describe('the fixed fee', () => {
  it.each([
    ['USD', '0.50', '1', 50n],
    ['JPY', '0.50', '147.01', 74n],
    ['KWD', '0.50', '0.305', 153n],
    ['EUR', '0', '0.9', 0n],
    ['EUR', '0.000001', '0.000000001', 1n],
    ['IRR', '999999999.999999', '1374999.64464856', 137_499_964_464_855_863n],
  ])('in %s of %s at %s is %i, rounded up', (currency, fee, rate, minor) => {
    expect(fixedFeeIn(currency, fee, rate)).toBe(minor);
  });

  it('of nothing needs no rate', () => {
    expect(['0', '0.00', '0.01', '10'].map(isCharged)).toEqual([false, false, true, true]);
  });
});

/** Rates as they are published, of every pair that ships with the program. */
let published: ReadonlyMap<string, ReadonlyMap<string, string>>;
let codes: string[];
beforeAll(async () => {
  const legs = await createSnapshotSource().fetch();
  codes = ['USD', ...legs.map(({ quote }) => quote)];
  published = new Map(
    codes.map((base) => {
      const { rows } = quoteTable(legs, { base, quotes: codes, at: noon, maxAgeMs: 1e12 });
      return [base, new Map(rows.map(({ quote, rate }) => [quote, rate]))];
    }),
  );
});

const mid = (from: string, to: string): string => published.get(from)?.get(to) ?? '';

/** A rate as a fraction between minor units. */
function fraction({ sourceCurrency, targetCurrency }: QuoteRequest, rate: string) {
  const { whole, fraction: decimals } = splitDecimal(rate) ?? { whole: '', fraction: '' };
  return {
    above: BigInt(whole + decimals) * 10n ** BigInt(minorDigits(targetCurrency)),
    below: 10n ** BigInt(decimals.length + minorDigits(sourceCurrency)),
  };
}

const anyBps = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 5_000 }));
// Of every size: most random integers of a wide range are large.
const anyAmount = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.bigInt({ min: 1n, max: 10n ** 12n }))
  .map(([digits, amount]) => (amount % 10n ** BigInt(digits)) + 1n);
const anyCase = fc.record({
  from: fc.nat(),
  to: fc.nat(),
  amount: anyAmount,
  markupBps: anyBps,
  feeBps: anyBps,
  fixedFee: fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 10_000n })),
});

/** Others at every run. */
const RUNS = 2_000;

/** Quotes of random pairs at published rates, where the pair is one. */
function forAny(
  check: (pair: { from: string; to: string }, amount: bigint, price: QuotePrice) => void,
  numRuns = RUNS,
): void {
  const property = fc.property(anyCase, ({ from: a, to: b, amount, ...costs }) => {
    const from = codes[a % codes.length] ?? '';
    const to = codes[b % codes.length] ?? '';
    if (from !== to) check({ from, to }, amount, { ...costs, midMarketRate: mid(from, to) });
  });
  fc.assert(property, { numRuns });
}

describe('no cent is made or lost', () => {
  it('by a quote whose target is fixed: it is kept, and paid for by less than a unit too much', () => {
    forAny(({ from, to }, amount, costs) => {
      const request = {
        ...{ sourceCurrency: from, targetCurrency: to, fixedSide: 'TARGET' as const, amount },
      };
      const terms = priceQuote(request, costs);
      if (terms === null) throw new Error('a fixed target always costs something');
      const { above, below } = fraction(request, terms.rate);
      const { sourceAmount, convertedAmount, percentageFee, fixedFee } = terms;
      must(terms.targetAmount === amount, 'the target is kept');
      must(sourceAmount === convertedAmount + percentageFee + fixedFee, 'the parts are the sum');
      must(convertedAmount * above >= amount * below, 'no more is paid out than taken');
      must((convertedAmount - 1n) * above < amount * below, 'no unit too much is taken');
      const share = terms.convertedAmount * BigInt(costs.feeBps);
      const fee = terms.percentageFee * 10_000n;
      must(fee >= share && fee < share + 10_000n, 'the fee is its share, rounded up');
    });
  });

  it('by a quote whose source is fixed: it is kept, and the rest is a fee of one unit at most', () => {
    let priced = 0;
    forAny(({ from, to }, amount, costs) => {
      const request = {
        ...{ sourceCurrency: from, targetCurrency: to, fixedSide: 'SOURCE' as const, amount },
      };
      const terms = priceQuote(request, costs);
      if (terms === null) return;
      priced += 1;
      const { above, below } = fraction(request, terms.rate);
      const { targetAmount, convertedAmount, percentageFee, fixedFee } = terms;
      must(terms.sourceAmount === amount, 'the source is kept');
      must(amount === convertedAmount + percentageFee + fixedFee, 'the parts are the sum');
      must(targetAmount * below <= convertedAmount * above, 'no more is paid out than taken');
      must((targetAmount + 1n) * below > convertedAmount * above, 'no more could be had for it');
      const exact = terms.convertedAmount * BigInt(costs.feeBps);
      const over = terms.percentageFee * 10_000n - exact;
      must(over >= 0n && over < 20_000n, 'the rest is one unit at most');
    });
    expect(priced).toBeGreaterThan(RUNS * 0.4);
  });

  it('by asking for what the other side said: the same price buys at least as much', () => {
    forAny(({ from, to }, amount, costs) => {
      const pair = { sourceCurrency: from, targetCurrency: to };
      const wanted = priceQuote({ ...pair, fixedSide: 'TARGET', amount }, costs);
      const paid = priceQuote(
        { ...pair, fixedSide: 'SOURCE', amount: wanted?.sourceAmount ?? 0n },
        costs,
      );
      must((paid?.targetAmount ?? 0n) >= amount, 'the same price buys as much');
    });
  });

  it('by going there and back, even at the mid-market rate without a fee', () => {
    let returned = 0;
    const goBack = (pair: { from: string; to: string }, amount: bigint, costs: QuotePrice) => {
      const { from, to } = pair;
      const there = priceQuote(
        { sourceCurrency: from, targetCurrency: to, fixedSide: 'SOURCE', amount },
        costs,
      );
      if (there === null) return;
      const back = { ...costs, fixedFee: 0n, midMarketRate: mid(to, from) };
      const reverse = { sourceCurrency: to, targetCurrency: from, fixedSide: 'SOURCE' as const };
      const home = priceQuote({ ...reverse, amount: there.targetAmount }, back);
      if (home === null) return;
      returned += 1;
      must(home.targetAmount <= amount, `${from} ${to} ${String(amount)} comes back as no more`);
    };
    const free = { markupBps: 0, feeBps: 0, fixedFee: 0n };
    forAny((pair, amount, { midMarketRate }) => goBack(pair, amount, { ...free, midMarketRate }));
    forAny(goBack, RUNS / 2);
    // As much as there may be of it, where a rate that is too high in its last digit would count most.
    forAny((pair, amount, { midMarketRate }) => {
      // Of a token that is 10^10 units: a rate has 18 digits, and tokens six behind the point.
      const most = 10n ** BigInt(Math.min(12 + minorDigits(pair.from), 16)) - amount;
      goBack(pair, most, { ...free, midMarketRate });
    });
    expect(returned).toBeGreaterThan(RUNS);
  });

  it('by the rate: it never lies above what the markup leaves of the mid-market rate', () => {
    forAny((_pair, _amount, { midMarketRate, markupBps }) => {
      const rate = parseRate(customerRate(midMarketRate, markupBps));
      const exact = parseRate(midMarketRate)?.times(String(10_000 - markupBps));
      if (rate === null || exact === undefined) throw new Error('rates are missing');
      must(rate.times('10000').lte(exact), 'the rate is not above what the markup leaves');
      must(formatRate(rate) === customerRate(midMarketRate, markupBps), 'it is written as read');
    });
  });
});
