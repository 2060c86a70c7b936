import { crossRatesFrom } from './cross-rate.ts';
import type { FxLeg } from './fx-leg.ts';
import { tabledMoveBps } from './pair-class.ts';
import { movePercent, UNIT_RATE, type Rate } from './rate.ts';

/** Days back of which rates are read: some 64 of them are weekdays. */
export const MOVE_DAYS = 90;

/** Fewer moves of a pair say too little of it. */
const MOVES_MIN = 30;

const DAY_MS = 24 * 3_600_000;

interface Pair {
  readonly base: string;
  readonly quote: string;
}

/**
 * How far the rate of a pair moves in a trading day: one standard deviation in whole basis points, rounded up. By its
 * own rates, one for each source and UTC day (`asOf` of a leg is the start of its day), where a source has at
 * least 30 moves; of several sources the largest counts. A calm market does not stay calm: never less than half of what
 * the table has for pairs of this kind, which counts where there are too few rates. Weekends are left out:
 * a rate that is repeated then is no move.
 */
export function dailyMoveBps(
  { base, quote }: Pair,
  daily: readonly FxLeg[],
  released: readonly string[],
): number {
  const tabled = tabledMoveBps(base, quote, released);
  const own = [...new Set(daily.map(({ source }) => source))].flatMap((name) => {
    const rates = ratesByDay(
      daily.filter(({ source }) => source === name),
      { base, quote },
    );
    const moves = rates.slice(1).map((rate, index) => movePercent(rates[index] ?? rate, rate));
    return moves.length < MOVES_MIN ? [] : [deviationBps(moves)];
  });
  return own.length === 0 ? tabled : Math.max(...own, Math.ceil(tabled / 2));
}

function ratesByDay(legs: readonly FxLeg[], { base, quote }: Pair): Rate[] {
  const byDay = new Map<number, FxLeg[]>();
  for (const leg of legs) {
    const day = Math.floor(leg.asOf.getTime() / DAY_MS);
    if (isWeekend(day)) continue;
    byDay.set(day, [...(byDay.get(day) ?? []), leg]);
  }
  return [...byDay]
    .sort(([a], [b]) => a - b)
    .flatMap(([, ofDay]) => crossRatesFrom(ofDay, base, [quote]).get(quote)?.rate ?? []);
}

/** Day 0, 1 January 1970, was a Thursday. */
const isWeekend = (day: number): boolean => day % 7 === 2 || day % 7 === 3;

/** Of moves in percent, around no move at all: a trend is a risk too. */
function deviationBps(moves: readonly Rate[]): number {
  const nothing = UNIT_RATE.minus(UNIT_RATE);
  const sum = moves.reduce((total, move) => total.plus(move.times(move)), nothing);
  const deviation = sum.div(String(moves.length)).sqrt().times('100');
  return Number(deviation.round(0, 3).toFixed());
}
