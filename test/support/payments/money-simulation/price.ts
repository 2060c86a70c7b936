import { expect } from 'vitest';
import { destinationOf, toMinor } from './currencies.ts';
import {
  ceilOf,
  dividedBy,
  floorOf,
  fractionOf,
  isAtMost,
  isNear,
  ratio,
  times,
} from './fraction.ts';
import { crossRate, type DayRates } from './market.ts';
import type { Price } from './expected-books.ts';
import { ASSET_MARKUP_BPS } from '../../../../src/domain/payments/quotes/asset-markup.ts';

/** What an operator takes for a conversion. */
export const PRICING = {
  markupBps: 45,
  feeBps: 35,
  feeFixed: '0.25',
  assetMarkupBps: ASSET_MARKUP_BPS,
  lockMarkupPercent: 0,
  hasCurrencies: true,
  // Banks of the simulation decide after hours: each payment keeps its rate until then.
  graceMs: 400 * 24 * 3_600_000,
};

/** A quote as the partner was shown it. */
export interface ShownQuote {
  readonly sourceCurrency: string;
  readonly targetCurrency: string;
  readonly fixedSide: 'SOURCE' | 'TARGET';
  readonly sourceAmount: string;
  readonly convertedAmount: string;
  readonly targetAmount: string;
  readonly midMarketRate: string;
  readonly rate: string;
  readonly fees: readonly { readonly type: string; readonly amount: string }[];
}

/**
 * Holds a quote against the market of its day and the rules of docs/reference/fx-and-quotes.md, each side worked out
 * anew; answers what it costs.
 */
export function checkQuote(shown: ShownQuote, rates: DayRates, asked: bigint): Price {
  const { sourceCurrency: source, targetCurrency: target, fixedSide } = shown;
  const market = crossRate(rates, source, target);
  const middle = fractionOf(shown.midMarketRate);
  const rate = fractionOf(shown.rate);
  const where = JSON.stringify(shown);
  expect(isNear(middle, market), where).toBe(true);
  const less = times(middle, ratio(10_000n - BigInt(PRICING.markupBps), 10_000n));
  expect(isNear(rate, less) && isAtMost(rate, less), where).toBe(true);

  // Of one minor unit of the source, minor units of the target.
  const perMinor = times(rate, ratio(scale(target), scale(source)));
  const feeRate = crossRate(rates, 'USD', source);
  const fixedFee = ceilOf(
    times(times(fractionOf(PRICING.feeFixed), feeRate), ratio(scale(source), 1n)),
  );
  const share = (minor: bigint) => ratio(minor * BigInt(PRICING.feeBps), 10_000n);

  const expected =
    fixedSide === 'TARGET'
      ? fromTarget(ceilOf(dividedBy(ratio(asked, 1n), perMinor)))
      : fromSource((asked - fixedFee) * 10_000n);
  function fromTarget(converted: bigint) {
    const percentage = ceilOf(share(converted));
    return { converted, percentage, pays: converted + fixedFee + percentage, arrives: asked };
  }
  function fromSource(restTimes10000: bigint) {
    const converted = restTimes10000 / (10_000n + BigInt(PRICING.feeBps));
    const arrives = floorOf(times(ratio(converted, 1n), perMinor));
    return { converted, percentage: asked - fixedFee - converted, pays: asked, arrives };
  }
  const feeOf = (type: string) =>
    toMinor(shown.fees.find((fee) => fee.type === type)?.amount ?? zero(source), source);
  expect(
    {
      converted: toMinor(shown.convertedAmount, source),
      percentage: feeOf('PERCENTAGE'),
      pays: toMinor(shown.sourceAmount, source),
      arrives: toMinor(shown.targetAmount, target),
      fixedFee: feeOf('FIXED'),
    },
    where,
  ).toEqual({ ...expected, fixedFee });
  const { converted, percentage, arrives } = expected;
  return { source, target, converted, arrives, fee: fixedFee + percentage };
}

const scale = (currency: string): bigint => 10n ** BigInt(destinationOf(currency).decimals);

function zero(currency: string): string {
  const { decimals } = destinationOf(currency);
  return decimals === 0 ? '0' : `0.${'0'.repeat(decimals)}`;
}
