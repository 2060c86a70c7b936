/** How far a listed year of birth may be off: lists often know it only about. */
const YEARS_OFF_MAX = 1;

/**
 * Whether a person may have been born on a listed date. A list may know the year alone (`1970`) or the
 * month (`1970-03`). A list or person without a date excludes nothing.
 */
export function mayBeBornOn(given: string | undefined, listed: readonly string[]): boolean {
  if (given === undefined || listed.length === 0) return true;
  const year = Number(given.slice(0, 4));
  return listed.some((date) => Math.abs(Number(date.slice(0, 4)) - year) <= YEARS_OFF_MAX);
}
