import { anchorOf } from './asset-anchors.ts';
import { PEGS } from './pegs.ts';

/** How far the rate of a pair moves: held to each other, freely traded in large markets, or any other. */
type PairClass = 'PEGGED' | 'MAJOR' | 'OTHER';

/** Currencies that float freely in the largest markets. */
const MAJORS: ReadonlySet<string> = new Set(
  'USD EUR JPY GBP AUD CAD CHF NZD SEK NOK SGD'.split(' '),
);

/**
 * The standard deviation of a day's move in basis points, for pairs of which too few rates are stored. A year has
 * some 250 trading days, so 70 are 11 percent a year, and 150 are 24: chosen high, because nothing is known of the pair.
 */
const DAILY_MOVE_BPS: Readonly<Record<PairClass, number>> = { PEGGED: 10, MAJOR: 70, OTHER: 150 };

/** How far a pair of this kind moves in a day: basis points, one standard deviation. `released` pegs hold no longer. */
export const tabledMoveBps = (base: string, quote: string, released: readonly string[]): number =>
  DAILY_MOVE_BPS[classOf(rootOf(base, released), rootOf(quote, released))];

function classOf(base: string, quote: string): PairClass {
  if (base === quote) return 'PEGGED';
  return MAJORS.has(base) && MAJORS.has(quote) ? 'MAJOR' : 'OTHER';
}

/** What a coin or a pegged currency follows, over all steps: MOP follows HKD, and HKD the dollar. */
function rootOf(code: string, released: readonly string[]): string {
  const peg = PEGS.find(({ currency }) => currency === code && !released.includes(code));
  const anchor = anchorOf(code) ?? peg?.anchor;
  return anchor === undefined ? code : rootOf(anchor, released);
}
