const MINUTE_MS = 60_000;
const FIRST_MS = 5 * MINUTE_MS;
const MAX_MS = 6 * 60 * MINUTE_MS;

/**
 * How long, in milliseconds, to wait before a statement that could not be read is fetched again, after
 * `readings` readings (1 or more). A bank mends a broken file in its own time, and under the same id.
 */
export function rereadWaitMs(readings: number): number {
  const doublings = Math.min(readings - 1, 10);
  return Math.min(FIRST_MS * 2 ** doublings, MAX_MS);
}
