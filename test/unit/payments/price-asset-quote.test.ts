import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createFeeSchedule, type FeeRow } from '../../../src/domain/payments/fees/fee-schedule.ts';
import { sumFees } from '../../../src/domain/payments/fees/payment-fee.ts';
import { holdLines, movementLines } from '../../../src/domain/ledger/movements.ts';
import { minorDigits } from '../../../src/domain/money/currencies.ts';
import { splitDecimal } from '../../../src/domain/money/decimal-text.ts';
import {
  priceAssetQuote,
  type FeesOfConverted,
} from '../../../src/domain/payments/quotes/price-asset-quote.ts';
import type { QuoteRequest, QuoteTerms } from '../../../src/domain/payments/quotes/price-quote.ts';
import { paymentMoney } from '../../../src/modules/payments/payment-view.ts';
import { must } from '../../support/payments/must.ts';

const row = (more: Partial<FeeRow>): FeeRow => ({
  ...{ type: 'SERVICE', currency: 'EUR', environment: null, rail: null, country: null },
  ...{ fixed: 0n, bps: 0, min: null, max: null },
  ...more,
});
const schedule = createFeeSchedule([
  row({ bps: 40, min: 50n }),
  row({ type: 'NETWORK', rail: 'BASE', fixed: 30n }),
  row({ type: 'NETWORK', rail: 'ETHEREUM', fixed: 450n }),
  row({ type: 'RAIL', fixed: 10n }),
]);
const feesOf: FeesOfConverted = (amount) =>
  schedule.feesOf({
    ...{ environment: 'test', rail: 'BASE', country: null, currency: 'EUR', amount },
  });
const free: FeesOfConverted = () => [];
const eurToUsdc = { sourceCurrency: 'EUR', targetCurrency: 'USDC' };
const price = { midMarketRate: '1.1361', markupBps: 35 };

describe('a quote to an asset', () => {
  it('of 1,000.00 EUR to USDC is what the documentation says', () => {
    const terms = priceAssetQuote(
      { ...eurToUsdc, fixedSide: 'SOURCE', amount: 100_000n },
      price,
      feesOf,
    );
    expect(terms).toEqual({
      ...{ ...price, rate: '1.13212365', feeBps: 0, fixedFee: 0n, percentageFee: 0n },
      ...{ sourceAmount: 100_000n, convertedAmount: 99_561n, targetAmount: 1_127_153_627n },
      fees: [
        { type: 'SERVICE', amount: '399', bps: 40 },
        { type: 'NETWORK', amount: '30', bps: null },
        { type: 'RAIL', amount: '10', bps: null },
      ],
    });
  });

  it('charges the network that is named, and no other', () => {
    const dear = (rail: string) =>
      schedule
        .feesOf({
          ...{ environment: 'test', rail, country: null, currency: 'EUR', amount: 1_000n },
        })
        .find(({ type }) => type === 'NETWORK')?.amount;
    expect([dear('BASE'), dear('ETHEREUM'), dear('POLYGON')]).toEqual(['30', '450', undefined]);
  });

  it('shows what no target unit is worth as a rest of its own', () => {
    const request = { sourceCurrency: 'USDC', targetCurrency: 'EUR', fixedSide: 'SOURCE' } as const;
    const terms = priceAssetQuote(
      { ...request, amount: 100_123_456n },
      { midMarketRate: '0.9', markupBps: 0 },
      free,
    );
    expect(terms).toMatchObject({
      ...{ targetAmount: 9_011n, convertedAmount: 100_122_223n, sourceAmount: 100_123_456n },
      fees: [{ type: 'ROUNDING', amount: '1233', bps: null }],
    });
  });

  it('comes to nothing where the fees eat up what is paid', () => {
    const request = { ...eurToUsdc, fixedSide: 'SOURCE' } as const;
    expect(priceAssetQuote({ ...request, amount: 90n }, price, feesOf)).toBeNull();
    expect(priceAssetQuote({ ...request, amount: 91n }, price, feesOf)).not.toBeNull();
  });
});

const PAIRS = [
  ['EUR', 'USDC', '1.1361'],
  ['JPY', 'USDC', '0.00680412345678901'],
  ['KWD', 'EURC', '2.881'],
  ['USDC', 'EUR', '0.88'],
  ['USDC', 'JPY', '146.97'],
  ['USDT', 'USDC', '0.9995'],
  ['EURC', 'KWD', '0.347'],
  ['IRR', 'USDC', '0.00000071'],
] as const;

const anyFees = fc
  .record({
    serviceBps: fc.integer({ min: 0, max: 5_000 }),
    railBps: fc.integer({ min: 0, max: 5_000 }),
    fixed: fc.bigInt({ min: 0n, max: 1_000n }),
    min: fc.option(fc.bigInt({ min: 0n, max: 1_000n })),
    spread: fc.option(fc.bigInt({ min: 0n, max: 1_000_000n })),
  })
  .map(({ serviceBps, railBps, fixed, min, spread }) => (source: string): FeesOfConverted => {
    const max = spread === null ? null : (min ?? 0n) + spread;
    const own = createFeeSchedule([
      row({ currency: source, bps: serviceBps, min, max }),
      row({ currency: source, type: 'NETWORK', rail: 'BASE', fixed }),
      row({ currency: source, type: 'RAIL', bps: railBps }),
    ]);
    const charged = { environment: 'test', rail: 'BASE', country: null } as const;
    return (amount) => own.feesOf({ ...charged, currency: source, amount });
  });
// Of every size: most random integers of a wide range are large.
const anyAmount = fc
  .tuple(fc.integer({ min: 1, max: 18 }), fc.bigInt({ min: 1n, max: 10n ** 18n }))
  .map(([digits, amount]) => (amount % 10n ** BigInt(digits)) + 1n);

/** Others at every run. */
const RUNS = 2_000;

type Check = (request: QuoteRequest, terms: QuoteTerms, exact: Exact) => void;

/** The rate as a fraction between minor units. */
interface Exact {
  readonly above: bigint;
  readonly below: bigint;
}

function forAny(fixedSide: QuoteRequest['fixedSide'], check: Check): number {
  let priced = 0;
  const anyPair = fc.constantFrom(...PAIRS);
  const anyMarkup = fc.integer({ min: 0, max: 5_000 });
  fc.assert(
    fc.property(anyPair, anyAmount, anyMarkup, anyFees, (pair, amount, markupBps, fees) => {
      const [sourceCurrency, targetCurrency, midMarketRate] = pair;
      const request = { sourceCurrency, targetCurrency, fixedSide, amount };
      const charge = fees(sourceCurrency);
      const terms = priceAssetQuote(request, { midMarketRate, markupBps }, charge);
      if (terms === null) return;
      priced += 1;
      const { whole, fraction } = splitDecimal(terms.rate) ?? { whole: '', fraction: '' };
      check(request, terms, {
        above: BigInt(whole + fraction) * 10n ** BigInt(minorDigits(targetCurrency)),
        below: 10n ** BigInt(fraction.length + minorDigits(sourceCurrency)),
      });
      const named = terms.fees.filter(({ type }) => type !== 'ROUNDING');
      const charged = charge(terms.convertedAmount);
      must(JSON.stringify(named) === JSON.stringify(charged), 'fees are those of the schedule');
    }),
    { numRuns: RUNS },
  );
  return priced;
}

/** What is true of both sides: nothing is paid out that was not taken, and the parts are the sum. */
function expectExact(terms: QuoteTerms, { above, below }: Exact): void {
  const { sourceAmount, convertedAmount, targetAmount } = terms;
  must(sourceAmount === convertedAmount + sumFees(terms.fees), 'the parts are the sum');
  must(convertedAmount * above >= targetAmount * below, 'no more is paid out than taken');
  must((convertedAmount - 1n) * above < targetAmount * below, 'no unit too much is taken');
}

describe('no unit of an asset is made or lost', () => {
  it('by a quote whose target is fixed: it is kept, and paid for to the last unit', () => {
    const priced = forAny('TARGET', ({ amount }, terms, exact) => {
      must(terms.targetAmount === amount, 'the target is kept');
      expectExact(terms, exact);
      must(!terms.fees.some(({ type }) => type === 'ROUNDING'), 'nothing is left over');
    });
    expect(priced).toBe(RUNS);
  });

  it('by a quote whose source is fixed: it is kept, and nothing more could be had for it', () => {
    const priced = forAny('SOURCE', ({ amount }, terms, exact) => {
      must(terms.sourceAmount === amount, 'the source is kept');
      expectExact(terms, exact);
      const rest = BigInt(terms.fees.find(({ type }) => type === 'ROUNDING')?.amount ?? '0');
      // A unit more of the target costs more than what is left over, but for two steps of its fees.
      const dearer = ((terms.targetAmount + 1n) * exact.below) / exact.above;
      const next = dearer + 1n - terms.convertedAmount;
      must(rest <= next * 2n + 2n, 'no more could be had for it');
    });
    expect(priced).toBeGreaterThan(RUNS / 2);
  });

  it('by the ledger: what is held is what is paid out, the rest on an account of its own', () => {
    forAny('SOURCE', ({ sourceCurrency, targetCurrency }, terms) => {
      const money = paymentMoney({
        destination: { kind: 'WALLET', walletId: 'wal_1', network: 'BASE' },
        ...{ unit: targetCurrency, amount: terms.targetAmount, maxSourceAmount: null },
        ...{ sourceUnit: sourceCurrency, sourceAmount: terms.convertedAmount, fees: terms.fees },
      });
      const lines = [...holdLines(money), ...movementLines(money, { kind: 'SETTLE' })];
      const on = (account: string, code: string) =>
        lines.reduce(
          (sum, one) => sum + (one.account === account && one.currency === code ? one.minor : 0n),
          0n,
        );
      for (const code of [sourceCurrency, targetCurrency]) {
        const all = lines.reduce((sum, one) => sum + (one.currency === code ? one.minor : 0n), 0n);
        must(all === 0n, `lines of ${code} add up`);
      }
      const rest = BigInt(terms.fees.find(({ type }) => type === 'ROUNDING')?.amount ?? '0');
      for (const [account, code, minor] of [
        ['available', sourceCurrency, -terms.sourceAmount],
        ['reserved', sourceCurrency, 0n],
        ['fx', sourceCurrency, terms.convertedAmount],
        ['rounding', sourceCurrency, rest],
        ['fees', sourceCurrency, sumFees(terms.fees) - rest],
        ['nostro:BASE', targetCurrency, terms.targetAmount],
      ] as const) {
        const sum = on(account, code);
        must(sum === minor, `${account} in ${code} is ${String(minor)}, not ${String(sum)}`);
      }
    });
  });
});
