import { crossRatesFrom, type CrossRate } from './cross-rate.ts';
import { freshOf, type ValueMoment } from './currency-value.ts';
import type { FxLeg } from './fx-leg.ts';
import { moveWithinBps } from './move-within.ts';
import { movePercent, percentOf } from './rate.ts';

/** What sources of one time may differ by: 50 basis points, as with assets. */
const APART_MIN_BPS = 50;

/** Between their times a rate moves by less than that many deviations, but for one day in a year. */
const DEVIATIONS_MAX = 3;

interface Pair {
  readonly base: string;
  readonly quote: string;
}

/** What each source that is fresh says of a pair of currencies. */
export function ratesOfSources(
  legs: readonly FxLeg[],
  { base, quote }: Pair,
  moment: ValueMoment,
): readonly CrossRate[] {
  const found = [...new Set(legs.map(({ source }) => source))].flatMap((name) => {
    const own = legs.filter(({ source }) => source === name);
    return crossRatesFrom(own, base, [quote]).get(quote) ?? [];
  });
  return freshOf(found, moment);
}

/**
 * Whether two sources of a pair of currencies are further apart than 50 basis points and what the pair moves between
 * their times. Every source counts: of two rates it is not known which one is wrong. `dailyMoveBps` is one
 * standard deviation.
 */
export function areApart(rates: readonly CrossRate[], dailyMoveBps: number): boolean {
  return rates.some((one, index) =>
    rates.slice(index + 1).some((other) => {
      const between = Math.abs(one.asOf.getTime() - other.asOf.getTime());
      const limit = APART_MIN_BPS + DEVIATIONS_MAX * moveWithinBps(dailyMoveBps, between);
      return movePercent(one.rate, other.rate)
        .times('100')
        .gte(percentOf(String(limit)));
    }),
  );
}
