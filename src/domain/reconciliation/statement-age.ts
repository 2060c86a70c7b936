import type { Environment } from '../scope.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * A connector whose newest reconciled statement is older is out of sight: an alarm. Live covers a long
 * weekend without statements; a bank in test is silent while nothing moves.
 */
export const STATEMENTS_AGE_MAX_MS: Readonly<Record<Environment, number>> = {
  test: DAY_MS,
  live: 5 * DAY_MS,
};
/** Such an alarm is given again by each worker, no sooner. */
export const STATEMENTS_AGE_ALARM_EVERY_MS = HOUR_MS;

/** Nothing new for so long: the bank's list is asked for from its start, where a restart would show. */
export const RESTART_PROBE_AFTER_MS: Readonly<Record<Environment, number>> = {
  test: 10 * MINUTE_MS,
  live: 6 * HOUR_MS,
};

/**
 * A listed statement that could not be fetched for so long (404 for ever, say) is no longer waited for
 * before payments without a line are called missing. It is fetched on all the same.
 */
export const UNFETCHED_HOPED_FOR_MS = 7 * DAY_MS;

export const isOlderThan = (since: Date, ageMs: number, now: Date): boolean =>
  now.getTime() - since.getTime() > ageMs;
