/** How long a quote may hold its rate. */
export const LOCK_TIMES = ['1m', '5m', '15m', '1h'] as const;

export type LockTime = (typeof LOCK_TIMES)[number];

const MINUTE_MS = 60_000;

export const LOCK_MS: Readonly<Record<LockTime, number>> = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
};

/** The moment from which on a quote made at `at` can no longer be used. */
export function expiryOf(at: Date, lockFor: LockTime): Date {
  return new Date(at.getTime() + LOCK_MS[lockFor]);
}
