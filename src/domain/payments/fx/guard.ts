import { anchorOf } from './asset-anchors.ts';
import { findBrokenPegs, isAbout } from './broken-pegs.ts';
import type { FxLeg } from './fx-leg.ts';
import { movePercent, parseRate, percentOf } from './rate.ts';
import type { Rate } from './rate.ts';

type LegRefusal =
  | 'not_a_rate'
  | 'out_of_range'
  | 'from_the_future'
  | 'older_than_stored'
  | 'moved_too_far'
  | 'peg_broken';

export interface RefusedLeg {
  readonly leg: FxLeg;
  readonly reason: LegRefusal;
  /** The stored rate that it was held against, where there is one. */
  readonly storedRate?: string;
  /** Percent to two decimals, only with `moved_too_far`. */
  readonly movedPercent?: string;
}

interface GuardLimits {
  readonly now: Date;
  /** Percent as decimal text, e.g. "20". Judged alike in both directions: halving is 100 percent. */
  readonly moveMaxPercent: string;
  /** Milliseconds that a source's clock may be ahead of ours. */
  readonly aheadMaxMs: number;
  /** Currencies whose peg holds no longer. */
  readonly releasedPegs: readonly string[];
}

/** No two currencies in use are further apart; for a pair that is seen for the first time. */
const LEAST = '0.000000001';
const MOST = '1000000000';

/**
 * Sorts the legs that one source was asked for into those that may be stored and those that may not. A
 * leg is compared with the stored one of the same pair, and a held currency with its peg; a pair seen
 * for the first time has nothing to move against. A stablecoin may move as far as it likes: kept out, the
 * rate of before would go on to be quoted while the coin is worth less; a quote judges it by its peg. A refused leg leaves the stored one to age until it
 * is stale, so a real devaluation beyond the limit stops live quotes until an operator looks: that is
 * intended.
 */
export function guardLegs(
  fetched: readonly FxLeg[],
  stored: readonly FxLeg[],
  limits: GuardLimits,
): { accepted: FxLeg[]; refused: RefusedLeg[] } {
  const moveMax = percentOf(limits.moveMaxPercent);
  const storedByPair = new Map(stored.map((leg) => [pairKey(leg), leg]));
  const broken = [...findBrokenPegs(fetched, limits.releasedPegs)];
  const accepted: FxLeg[] = [];
  const refused: RefusedLeg[] = [];
  for (const leg of fetched) {
    const refusal =
      refuse(leg, storedByPair.get(pairKey(leg)), moveMax, limits) ??
      (broken.some((currency) => isAbout(leg, currency))
        ? { leg, reason: 'peg_broken' as const }
        : null);
    if (refusal === null) accepted.push(leg);
    else refused.push(refusal);
  }
  return { accepted, refused };
}

function pairKey({ source, base, quote }: FxLeg): string {
  return JSON.stringify([source, base, quote]);
}

function refuse(
  leg: FxLeg,
  stored: FxLeg | undefined,
  moveMax: Rate,
  { now, aheadMaxMs }: GuardLimits,
): RefusedLeg | null {
  const rate = parseRate(leg.rate);
  // Negated, so that an invalid Date (NaN compares false) is refused as well.
  if (rate === null) return { leg, reason: 'not_a_rate' };
  if (rate.lt(LEAST) || rate.gt(MOST)) return { leg, reason: 'out_of_range' };
  if (!(leg.asOf.getTime() - now.getTime() <= aheadMaxMs))
    return { leg, reason: 'from_the_future' };
  const storedRate = stored === undefined ? null : parseRate(stored.rate);
  if (stored === undefined || storedRate === null) return null;
  if (leg.asOf < stored.asOf) {
    return { leg, reason: 'older_than_stored', storedRate: stored.rate };
  }
  if (anchorOf(leg.base) !== null || anchorOf(leg.quote) !== null) return null;
  const moved = movePercent(storedRate, rate);
  if (moved.lte(moveMax)) return null;
  const movedPercent = moved.toFixed(2);
  return { leg, reason: 'moved_too_far', storedRate: stored.rate, movedPercent };
}
