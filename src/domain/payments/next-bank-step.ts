import type { Attempt, OpenPhase } from './attempt.ts';
import type { PaymentStatus, StatusDetail } from './payment-states.ts';
import { isSettledOrFinal } from './payment-states.ts';
import {
  doublingDelay,
  FRUITLESS_SENDS_MAX,
  holdLookMs,
  type SettlementTiming,
} from './settlement-timing.ts';

/** What is known of the one attempt that may still move money. */
export type OpenAttempt = Pick<
  Attempt,
  | 'fruitlessSends'
  | 'refusedByBank'
  | 'deadlineAt'
  | 'answeredAt'
  | 'unknownSince'
  | 'nextAskAt'
  | 'missingCount'
> & { readonly phase: OpenPhase };

export interface PlanInput {
  readonly status: PaymentStatus;
  readonly statusDetail: StatusDetail;
  readonly rejections: number;
  /** Before it nothing is sent; null: at once. */
  readonly releaseAt: Date | null;
  /** Until when it may be paid for by a deposit that is not all there; null where nothing is waited for. */
  readonly depositUntil: Date | null;
  readonly updatedAt: Date;
  /** Since when it is held for the same reason; null: it is not held. */
  readonly heldSince: Date | null;
  /** The bank contradicted itself about this payment: nothing more may be sent for it. */
  readonly isContradicted: boolean;
  readonly attempt: OpenAttempt | null;
  /** The last attempt was rejected for now, and the bank was not asked again since. */
  readonly unconfirmedRejection: { readonly nextAskAt: Date | null } | null;
}

/** The bank must answer "never seen" so often before the same bytes may go out again. */
export const MISSING_TO_RESEND = 2;

/**
 * A payment for a later day is looked at so often until then, in ms: a cancel whose wake was lost ends its
 * workflow within that time. 24 hours.
 */
const RELEASE_LOOK_MS = 24 * 3_600_000;

/** What settlement does next with a payment. */
export type SettlementPlan =
  | { readonly kind: 'DONE' }
  | { readonly kind: 'CLAIM' }
  | { readonly kind: 'SEND_AGAIN' }
  | { readonly kind: 'ASK' }
  | { readonly kind: 'HOLD'; readonly detail: 'STALLED' | 'SETTLEMENT_FAILED' }
  /** Its time to be paid for is over: it ends once nothing that came in time can be found any more. */
  | { readonly kind: 'EXPIRE'; readonly since: Date }
  | { readonly kind: 'WAIT'; readonly waitMs: number };

/**
 * Decides the next step from what PostgreSQL holds, however often it is asked. The rule behind
 * it: bytes that may have reached the bank are asked about, never sent again on a guess. They are
 * sent again only when the bank itself said twice, late enough, that it never saw them.
 */
export function planSettlement(
  input: PlanInput,
  now: Date,
  timing: SettlementTiming,
): SettlementPlan {
  const plan = planUncontradicted(input, now, timing);
  const wouldSend = plan.kind === 'CLAIM' || plan.kind === 'SEND_AGAIN';
  if (!wouldSend) return plan;
  const untilReleaseMs = (input.releaseAt?.getTime() ?? 0) - now.getTime();
  if (untilReleaseMs > 0) {
    return { kind: 'WAIT', waitMs: Math.min(untilReleaseMs, RELEASE_LOOK_MS) };
  }
  if (!input.isContradicted) return plan;
  return input.status === 'ON_HOLD' && isForOperators(input.statusDetail)
    ? { kind: 'WAIT', waitMs: holdLookMs(input.heldSince, now, timing) }
    : { kind: 'HOLD', detail: 'STALLED' };
}

function planUncontradicted(input: PlanInput, now: Date, timing: SettlementTiming): SettlementPlan {
  if (isSettledOrFinal(input.status)) return { kind: 'DONE' };
  const { attempt, depositUntil } = input;
  if (depositUntil !== null) {
    const waitMs = depositUntil.getTime() - now.getTime();
    return waitMs > 0 ? { kind: 'WAIT', waitMs } : { kind: 'EXPIRE', since: depositUntil };
  }
  if (attempt === null) return planWithoutAttempt(input, now, timing);

  const heldForHuman = input.status === 'ON_HOLD' && isForOperators(input.statusDetail);
  if (attempt.phase === 'NOT_SENT') {
    return heldForHuman
      ? { kind: 'WAIT', waitMs: holdLookMs(input.heldSince, now, timing) }
      : { kind: 'SEND_AGAIN' };
  }
  if (!heldForHuman && attempt.phase !== 'ACCEPTED') {
    if (attempt.refusedByBank) return { kind: 'HOLD', detail: 'SETTLEMENT_FAILED' };
    if (attempt.missingCount >= MISSING_TO_RESEND) {
      return attempt.fruitlessSends >= FRUITLESS_SENDS_MAX
        ? { kind: 'HOLD', detail: 'SETTLEMENT_FAILED' }
        : { kind: 'SEND_AGAIN' };
    }
  }
  // Found in the middle of a send: its process died or lost the database. The bank may know it.
  if (attempt.phase === 'SENDING') return { kind: 'ASK' };
  // Before an operator is called, too: no process may have been able to ask for as long as that.
  const waitMs = attempt.nextAskAt === null ? 0 : attempt.nextAskAt.getTime() - now.getTime();
  if (waitMs <= 0) return { kind: 'ASK' };
  if (heldForHuman || attempt.unknownSince === null) return { kind: 'WAIT', waitMs };
  const stalledAt = attempt.unknownSince.getTime() + timing.stalledAfterMs;
  const untilStalledMs = stalledAt - now.getTime();
  if (untilStalledMs <= 0) return { kind: 'HOLD', detail: 'STALLED' };
  // The next question is not waited for beyond the moment at which an operator is due.
  return { kind: 'WAIT', waitMs: Math.min(waitMs, untilStalledMs) };
}

function planWithoutAttempt(input: PlanInput, now: Date, timing: SettlementTiming): SettlementPlan {
  if (input.status === 'ON_HOLD' && isForOperators(input.statusDetail)) {
    return { kind: 'WAIT', waitMs: holdLookMs(input.heldSince, now, timing) };
  }
  if (input.rejections >= FRUITLESS_SENDS_MAX) return { kind: 'HOLD', detail: 'SETTLEMENT_FAILED' };
  const delay =
    input.rejections === 0
      ? 0
      : doublingDelay(timing.retryFirstMs, timing.retryMaxMs, input.rejections - 1);
  // A bank may change its mind: before another reference goes out, it is asked about the last one.
  const rejection = input.unconfirmedRejection;
  const notBefore = Math.max(
    input.updatedAt.getTime() + delay,
    rejection?.nextAskAt?.getTime() ?? 0,
  );
  const waitMs = delay === 0 && rejection === null ? 0 : notBefore - now.getTime();
  if (waitMs > 0) return { kind: 'WAIT', waitMs };
  return { kind: rejection === null ? 'CLAIM' : 'ASK' };
}

/** Whether nothing but an operator's decision moves a payment that is held for this. */
export function isForOperators(detail: StatusDetail): boolean {
  return detail === 'SETTLEMENT_FAILED' || detail === 'STALLED' || detail === 'ENGINE_FAULT';
}

/**
 * When to ask after a look at `now`, counted from `base`, the moment the outcome became unknown: the
 * distance doubles with the age, between the first distance and the greatest.
 */
export function nextAskAt(base: Date, now: Date, timing: SettlementTiming): Date {
  const age = now.getTime() - base.getTime();
  const distance = Math.min(timing.askMaxMs, Math.max(timing.askFirstMs, age));
  return new Date(now.getTime() + distance);
}
