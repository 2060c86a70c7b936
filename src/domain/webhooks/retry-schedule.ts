const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The wait before each attempt, counted from the attempt before it. */
export const RETRY_DELAYS_MS: readonly number[] = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** A wait is spread over this share of itself to both sides, so that retries don't come in waves. */
const JITTER = 0.2;
/** A receiver's Retry-After counts up to this multiple of the planned wait. */
const RETRY_AFTER_FACTOR_MAX = 2;

type RetryPlan =
  { readonly kind: 'RETRY'; readonly delayMs: number } | { readonly kind: 'EXHAUSTED' };

/**
 * When a delivery goes out again after `attemptsMade` attempts, the last of which failed. `random` is
 * 0 to 1. A Retry-After of the receiver is kept within one to two times the planned wait.
 */
export function planRetry(
  attemptsMade: number,
  random: number,
  retryAfterSeconds?: number,
): RetryPlan {
  const plannedMs = RETRY_DELAYS_MS[attemptsMade];
  if (plannedMs === undefined) return { kind: 'EXHAUSTED' };
  if (retryAfterSeconds !== undefined) {
    const longestMs = plannedMs * RETRY_AFTER_FACTOR_MAX;
    const askedMs = retryAfterSeconds * SECOND_MS;
    return { kind: 'RETRY', delayMs: Math.min(Math.max(askedMs, plannedMs), longestMs) };
  }
  return { kind: 'RETRY', delayMs: Math.round(plannedMs * (1 - JITTER + 2 * JITTER * random)) };
}
