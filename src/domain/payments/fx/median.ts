import type { Rate } from './rate.ts';

/** The median of at least one rate; the mean of the middle two where their number is even. */
export function medianRate(rates: readonly Rate[]): Rate {
  const sorted = [...rates].sort((a, b) => a.cmp(b));
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new RangeError('no rates, no median');
  return upper.plus(lower).div('2');
}
