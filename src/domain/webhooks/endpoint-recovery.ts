import { isSuccess, type AttemptResult } from './attempt.ts';
import type { EndpointHealth, FinishedAttempt } from './endpoint-health.ts';
import type { DueTurn } from './version-order.ts';

/** A failing endpoint is asked so often whether it is back, by one of the deliveries that wait for it. */
const PROBE_EVERY_MS = 25_000;
/** A receiver that asks for more time with Retry-After is given up to so much before the next probe. */
const PROBE_AFTER_MAX_MS = 60 * 60 * 1_000;
/** What was put off is sent early at most this often: a receiver may fail at every other event. */
const RECOVER_EVERY_MS = 30_000;

export interface EndpointRecovery {
  /** When it is asked next whether it is back; counts only while it fails. */
  readonly probeAt: Date | null;
  /** What was last tried by then is sent again at once, as soon as that moment has come. */
  readonly recoveredAt: Date | null;
  /** Whether some of that may be left. */
  readonly isRecovering: boolean;
}

interface RecoveryAttempt extends FinishedAttempt {
  readonly delivery: { readonly turn: DueTurn };
}

/** The look that found what the attempts have sent. */
interface RecoveryLook {
  readonly at: Date;
  /** How many were to be sent, of those it found, that had been put off. */
  readonly putOffCount: number;
}

/**
 * How far an endpoint is back after more attempts, given in the order in which they finished. A success
 * of an endpoint that failed sends what was put off at once; a failure among the successes of one batch
 * is that event's own, and keeps to its schedule. That ends where nothing of it is left, or where all
 * that a batch had of it was sent and failed: else every success would send again what is never accepted.
 */
export function judgeRecovery(
  before: EndpointHealth & EndpointRecovery,
  attempts: readonly RecoveryAttempt[],
  look: RecoveryLook,
): EndpointRecovery {
  let { failingSince, probeAt, recoveredAt, isRecovering } = before;
  const hasBegun = recoveredAt !== null && recoveredAt <= look.at;
  const putOff = attempts.filter(({ delivery }) => delivery.turn === 'PUT_OFF');
  // None that a batch that was cut short has left behind.
  const areAllSent = putOff.length === look.putOffCount;
  const isInVain = areAllSent && !putOff.some(({ result }) => isSuccess(result));
  if (hasBegun && isInVain) isRecovering = false;
  for (const { result, finishedAt } of attempts) {
    if (!isSuccess(result)) {
      failingSince ??= finishedAt;
      probeAt = new Date(finishedAt.getTime() + probeDelayMs(result));
    } else if (failingSince !== null) {
      failingSince = null;
      if (before.failingSince === null) continue;
      recoveredAt = nextRecovery(recoveredAt, finishedAt);
      isRecovering = true;
    }
  }
  return { probeAt, recoveredAt, isRecovering };
}

/** At once, unless the last one was a moment ago; one that is still to come is not put off again. */
function nextRecovery(last: Date | null, at: Date): Date {
  if (last === null) return at;
  if (last > at) return last;
  return new Date(Math.max(at.getTime(), last.getTime() + RECOVER_EVERY_MS));
}

function probeDelayMs(result: AttemptResult): number {
  const askedSeconds = result.kind === 'ANSWERED' ? (result.retryAfterSeconds ?? 0) : 0;
  return Math.min(Math.max(askedSeconds * 1_000, PROBE_EVERY_MS), PROBE_AFTER_MAX_MS);
}
