import { describe, expect, it } from 'vitest';
import { ASSET_MARKUP_BPS } from '../../../src/domain/payments/quotes/asset-markup.ts';
import type { QuotePricing } from '../../../src/domain/payments/quotes/quote-pricing.ts';
import type { FxLeg } from '../../../src/domain/payments/fx/fx-leg.ts';
import { findQuoteRates } from '../../../src/modules/payments/quotes/quote-rates.ts';
import { hourMs, leg } from '../../support/payments/legs.ts';

const MINUTE_MS = 60_000;
/** A Thursday, and the Saturday and the Monday after it. */
const THURSDAY = new Date('2026-10-01T12:00:00.000Z');
const FRIDAY_CLOSE = new Date('2026-10-02T21:00:00.000Z');
const SATURDAY = new Date('2026-10-03T12:00:00.000Z');
const MONDAY = new Date('2026-10-05T12:00:00.000Z');

interface Case {
  readonly legs?: readonly FxLeg[];
  readonly at?: Date;
  readonly pricing?: Partial<QuotePricing>;
  readonly environment?: 'test' | 'live';
  readonly order?: object;
  readonly dailyMoveBps?: number;
}

const before = (at: Date, ms: number) => new Date(at.getTime() - ms);
const euros = (asOf: Date, rate = '0.9') => leg(`USD/EUR ${rate}`, { asOf });

function find({ at = THURSDAY, legs = [euros(at)], environment = 'live', ...more }: Case = {}) {
  const pricing: QuotePricing = {
    ...{ markupBps: 20, feeBps: 0, feeFixed: '0', assetMarkupBps: ASSET_MARKUP_BPS },
    ...{ lockMarkupPercent: 100, hasCurrencies: true, rateMaxAgeMs: hourMs },
    ...{ graceMs: 15 * MINUTE_MS, ...more.pricing },
  };
  const order = { sourceCurrency: 'USD', targetCurrency: 'EUR', lockFor: '1h', ...more.order };
  return findQuoteRates(legs, order as Parameters<typeof findQuoteRates>[1], {
    settings: {
      fx: { baseCurrency: 'USD', rateMaxAgeMs: 96 * hourMs, releasedPegs: [] },
      quotes: { test: pricing, live: pricing },
    },
    ...{ environment, at, moveOf: () => more.dailyMoveBps ?? 100 },
    fields: { currency: '/targetCurrency' },
  });
}
const markupOf = (one?: Case) => find(one).price.markupBps;
const code = 'rate_unavailable';
const refusal = (one: Case) => {
  try {
    find(one);
  } catch (error) {
    return (error as { code: string }).code;
  }
  return null;
};

describe('the markup of a quote between two currencies', () => {
  it('is the margin of the operator and the time until the payment must be sent', () => {
    // 16, 20, 30 and 75 minutes, of 100 basis points a day.
    const locks = ['1m', '5m', '15m', '1h'].map((lockFor) => markupOf({ order: { lockFor } }));
    expect(locks).toEqual([27, 28, 30, 35]);
    expect(markupOf({ pricing: { graceMs: 24 * hourMs } })).toBe(85);
    expect(markupOf({ dailyMoveBps: 10 })).toBe(22);
  });

  it('is larger for an older rate, and covers the time since the market was last open', () => {
    expect(markupOf({ legs: [euros(before(THURSDAY, 45 * MINUTE_MS))] })).toBe(39);
    const weekend = markupOf({ at: SATURDAY, legs: [euros(before(FRIDAY_CLOSE, 1_000))] });
    expect(weekend).toBe(72);
    // A source that repeats Friday's rate with today's time changes nothing.
    expect(markupOf({ at: SATURDAY })).toBe(weekend);
    expect(markupOf({ at: MONDAY })).toBe(35);
  });

  it('is free of the time where the operator of test takes nothing for it', () => {
    expect(markupOf({ environment: 'test', pricing: { lockMarkupPercent: 0 } })).toBe(20);
  });

  it('leaves a rate, however long and wild', () => {
    expect(markupOf({ dailyMoveBps: 1_000_000 })).toBe(9_999);
  });
});

describe('the markup of a quote with an asset', () => {
  const order = { sourceCurrency: 'USDC', targetCurrency: 'EUR', lockFor: '1m' };
  const legs = [euros(THURSDAY), leg('USDC/USD 1', { asOf: THURSDAY })];

  it('is that of its lock, or what the time costs, with 80 minutes in which a deposit becomes final', () => {
    expect(markupOf({ legs, order, dailyMoveBps: 10 })).toBe(ASSET_MARKUP_BPS['1m']);
    // 96 minutes of 100 basis points a day.
    expect(markupOf({ legs, order })).toBe(17);
  });
});

describe('a live quote between two currencies', () => {
  it('is not given at a rate that is older than the operator allows', () => {
    expect(refusal({ legs: [euros(before(THURSDAY, hourMs))] })).toBeNull();
    const legs = [euros(before(THURSDAY, hourMs + 1))];
    expect(refusal({ legs })).toBe(code);
    expect(find({ legs, environment: 'test' }).isStale).toBe(true);
  });

  it('is given in a closed market at the rates of its close, and not after it has opened again', () => {
    const legs = [euros(before(FRIDAY_CLOSE, hourMs))];
    expect(refusal({ legs, at: SATURDAY })).toBeNull();
    expect(refusal({ legs: [euros(before(FRIDAY_CLOSE, hourMs + 1))], at: SATURDAY })).toBe(code);
    expect(refusal({ legs, at: MONDAY })).toBe(code);
  });

  it('is made from the sources that are young enough alone', () => {
    const fixing = { ...euros(before(THURSDAY, 20 * hourMs), '0.91'), source: 'ecb' };
    expect(find({ legs: [euros(THURSDAY), fixing] }).price.midMarketRate).toBe('0.9');
  });

  it('is not given where an operator has not opened it, and one with an asset is', () => {
    const pricing = { hasCurrencies: false };
    expect(refusal({ pricing })).toBe(code);
    const legs = [euros(THURSDAY), leg('USDC/USD 1', { asOf: THURSDAY })];
    const order = { sourceCurrency: 'USDC', targetCurrency: 'EUR' };
    expect(refusal({ pricing, legs, order })).toBeNull();
  });
});

describe('sources of a pair of currencies', () => {
  const second = (rate: string, asOf = THURSDAY) => ({ ...euros(asOf, rate), source: 'second' });

  it.each([
    ['0.9044', null],
    ['0.9045', code],
    ['0.8955', code],
  ])('of one time, at 0.9 and at %s', (rate, refused) => {
    const legs = [euros(THURSDAY), second(rate)];
    expect(refusal({ legs })).toBe(refused);
    expect(find({ legs, environment: 'test' }).isStale).toBe(refused !== null);
  });

  it('may differ by what the pair moves between their times', () => {
    const fixing = before(THURSDAY, 6 * hourMs);
    // 50 and three times 50 basis points.
    expect(refusal({ legs: [euros(THURSDAY), second('0.917', fixing)] })).toBeNull();
    expect(refusal({ legs: [euros(THURSDAY), second('0.919', fixing)] })).toBe(code);
  });

  it('are not outvoted: one of three that differs is enough', () => {
    const third = { ...euros(THURSDAY), source: 'third' };
    expect(refusal({ legs: [euros(THURSDAY), third, second('0.95')] })).toBe(code);
  });
});
