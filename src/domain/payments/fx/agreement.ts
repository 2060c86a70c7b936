import type { CrossRate } from './cross-rate.ts';
import { movePercent, percentOf } from './rate.ts';

/**
 * Rates of one pair by different sources lie within this of the middle one: their days differ by a
 * holiday at the most, and what moves further in that time needs an operator.
 */
const DISAGREE_MAX = percentOf('5');

interface Agreement {
  /** Those to take the median of: all of them where no majority agrees. */
  readonly used: readonly CrossRate[];
  /** No more than half of them agree, so no one can say which is wrong. */
  readonly isDisputed: boolean;
}

/** Leaves out what lies far from the middle one of at least one rate, if more than half lie near it. */
export function agreeingRates(rates: readonly CrossRate[]): Agreement {
  const sorted = rates.map(({ rate }) => rate).sort((a, b) => a.cmp(b));
  // A member of theirs, not the mean of two: two that are 9 percent apart are each 4.5 from their mean.
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  if (middle === undefined) throw new RangeError('no rates, no agreement');
  const near = rates.filter(({ rate }) => movePercent(middle, rate).lte(DISAGREE_MAX));
  if (near.length * 2 > rates.length) return { used: near, isDisputed: false };
  return { used: rates, isDisputed: true };
}
