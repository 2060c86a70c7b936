import { describe, expect, it } from 'vitest';
import { leg, noon } from '../../support/payments/legs.ts';
import { createRandom } from '../../support/random.ts';
import { ASSET_MARKUP_BPS } from '../../../src/domain/payments/quotes/asset-markup.ts';
import { customerRate } from '../../../src/domain/payments/quotes/customer-rate.ts';
import { lockMarkupBps } from '../../../src/domain/payments/quotes/lock-markup.ts';
import {
  LOCK_MS,
  LOCK_TIMES,
  type LockTime,
} from '../../../src/domain/payments/quotes/lock-times.ts';
import { moveWithinBps } from '../../../src/domain/payments/fx/move-within.ts';
import { findQuoteRates } from '../../../src/modules/payments/quotes/quote-rates.ts';

const DAY_MS = 24 * 3_600_000;
const GRACE_MS = 15 * 60_000;
/** Of EUR and USD in a calm year: 8.7 percent a year. */
const DAILY_MOVE_BPS = 55;

describe('the markup of a lock', () => {
  it('is five eighths of what the pair moves in the time, rounded up', () => {
    expect(moveWithinBps(100, DAY_MS)).toBe(100);
    expect(moveWithinBps(100, DAY_MS / 4)).toBe(50);
    expect(moveWithinBps(100, DAY_MS / 4 + 1)).toBe(51);
    expect(moveWithinBps(0, DAY_MS)).toBe(0);
    expect(lockMarkupBps({ dailyMoveBps: 100, heldMs: DAY_MS / 4 }, 100)).toBe(32);
    expect(lockMarkupBps({ dailyMoveBps: 100, heldMs: DAY_MS / 4 }, 200)).toBe(63);
    expect(lockMarkupBps({ dailyMoveBps: 100, heldMs: DAY_MS / 4 }, 0)).toBe(0);
  });

  it('never shrinks with the time or the move', () => {
    const times = [0, 1, 60_000, 16 * 60_000, 75 * 60_000, DAY_MS, 30 * DAY_MS];
    for (const dailyMoveBps of [1, 10, 55, 150, 5_000]) {
      const markups = times.map((heldMs) => lockMarkupBps({ dailyMoveBps, heldMs }, 100));
      expect(markups).toEqual([...markups].sort((a, b) => a - b));
    }
  });
});

const SEED = 20_260_929;
const QUOTES = 50_000;

/** Standard normal numbers, by Box and Muller. */
const normals = (random: () => number) => (): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/**
 * A partner that knows the market asks for quotes of one lock, waits until the last moment in which the payment may be
 * sent, uses the quotes that are better than the market by then, and lets the others go. What it gains beyond its
 * markup, less the markup that it paid: parts of what was quoted, summed over all quotes.
 */
function gainLessMarkup(
  lockFor: LockTime,
  { percent, rateAgeMs }: { readonly percent: number; readonly rateAgeMs: number },
): number {
  const normal = normals(createRandom(SEED));
  const pricing = {
    ...{ markupBps: 0, feeBps: 0, feeFixed: '0', assetMarkupBps: ASSET_MARKUP_BPS },
    ...{ lockMarkupPercent: percent, hasCurrencies: true, graceMs: GRACE_MS },
  };
  const asOf = new Date(noon.getTime() - rateAgeMs);
  const { price } = findQuoteRates(
    [leg('USD/EUR 1', { asOf })],
    { sourceCurrency: 'USD', targetCurrency: 'EUR', lockFor },
    {
      settings: {
        fx: { baseCurrency: 'USD', rateMaxAgeMs: DAY_MS, releasedPegs: [] },
        quotes: { test: pricing, live: pricing },
      },
      ...{ environment: 'live', at: noon, moveOf: () => DAILY_MOVE_BPS },
      fields: { currency: '/targetCurrency' },
    },
  );
  const rate = Number(customerRate(price.midMarketRate, price.markupBps));
  const heldMs = rateAgeMs + LOCK_MS[lockFor] + GRACE_MS;
  const steps = 2;
  const step = (DAILY_MOVE_BPS / 10_000) * Math.sqrt(heldMs / DAY_MS / steps);
  let sum = 0;
  for (let count = 0; count < QUOTES; count += 1) {
    let market = 1;
    for (let each = 0; each < steps; each += 1) market *= 1 + step * normal();
    if (rate <= market) continue;
    sum += rate / market - 1 - price.markupBps / 10_000;
  }
  return sum;
}

describe('a partner that uses only the quotes that the market made good', () => {
  it.each(LOCK_TIMES)('gains no more by locks of %s than they cost it', (lockFor) => {
    for (const rateAgeMs of [0, 3_600_000]) {
      expect(gainLessMarkup(lockFor, { percent: 100, rateAgeMs })).toBeLessThanOrEqual(0);
      expect(gainLessMarkup(lockFor, { percent: 0, rateAgeMs })).toBeGreaterThan(0);
    }
  });
});
