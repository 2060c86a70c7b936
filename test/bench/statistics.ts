/** The middle one of some numbers, or the mean of the two in the middle. NaN where there are none. */
export function median(values: readonly number[]): number {
  const sorted = ascending(values);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? NaN;
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? NaN)) / 2 : upper;
}

/**
 * The smallest number that at least `percent` (above 0, up to 100) of them do not exceed: one that
 * was measured, never a mean of two (nearest rank). NaN where there are none.
 */
export function percentile(values: readonly number[], percent: number): number {
  const rank = Math.ceil((percent / 100) * values.length);
  return ascending(values)[rank - 1] ?? NaN;
}

const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
