import { isSuccess, saysGone, type AttemptResult } from './attempt.ts';

/** An endpoint that fails or takes longer than this shares no slot with the quick ones. */
const SLOW_AFTER_MS = 2_000;
/** So long nothing but failures, and the endpoint is disabled. */
const DISABLED_AFTER_FAILING_MS = 4 * 24 * 60 * 60 * 1_000;

export type DisableReason = 'RECEIVER_GONE' | 'FAILING';

export interface EndpointHealth {
  /** Whether the last attempt failed or was slow. */
  readonly isSlow: boolean;
  /** The first failure since the last success. */
  readonly failingSince: Date | null;
}

export interface FinishedAttempt {
  readonly result: AttemptResult;
  readonly finishedAt: Date;
}

/** Whether this attempt shows an endpoint that must not hold a quick one's slot. */
export function isSlowAttempt(result: AttemptResult): boolean {
  return !isSuccess(result) || result.durationMs > SLOW_AFTER_MS;
}

/**
 * The endpoint's health after more attempts, given in the order in which they finished, and whether
 * it is to be disabled: at once on 410, or after four days of nothing but failures.
 */
export function judgeHealth(
  before: EndpointHealth,
  attempts: readonly FinishedAttempt[],
): { readonly health: EndpointHealth; readonly disable: DisableReason | null } {
  let { isSlow, failingSince } = before;
  let disable: DisableReason | null = null;
  for (const { result, finishedAt } of attempts) {
    isSlow = isSlowAttempt(result);
    failingSince = isSuccess(result) ? null : (failingSince ?? finishedAt);
    if (saysGone(result)) disable = 'RECEIVER_GONE';
    else if (failingSince === null) continue;
    else if (finishedAt.getTime() - failingSince.getTime() >= DISABLED_AFTER_FAILING_MS) {
      disable ??= 'FAILING';
    }
  }
  // A success behind the last failure shows a receiver that lives; only its own 410 outweighs it.
  if (failingSince === null && disable === 'FAILING') disable = null;
  return { health: { isSlow, failingSince }, disable };
}
