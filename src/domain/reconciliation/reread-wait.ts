const MINUTE_MS = 60_000;
const FIRST_MS = 5 * MINUTE_MS;
const MAX_MS = 6 * 60 * MINUTE_MS;

/**
 * How long, in milliseconds, to wait before a statement is fetched again that could not be read `times`
 * times (1 or more). A bank mends a broken file in its own time, and under the same id.
 */
export function rereadWaitMs(times: number): number {
  const doublings = Math.min(times - 1, 10);
  return Math.min(FIRST_MS * 2 ** doublings, MAX_MS);
}

/**
 * A statement that could not be read so often, for about a week, is no longer waited for before payments
 * without a line are called missing. It is fetched on all the same.
 */
export const UNREADABLE_HOPED_FOR = 32;
