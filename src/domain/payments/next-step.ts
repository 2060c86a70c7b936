import { isOpenPhase, openAttemptOf, unconfirmedRejectionOf, type Attempt } from './attempt.ts';
import type { SettlingPayment } from './payment.ts';
import { isForOperators, planSettlement, type SettlementPlan } from './next-bank-step.ts';
import type { SettlementTiming } from './settlement-timing.ts';

/** A payment and all of its attempts, first one first. */
interface PaymentWithAttempts {
  readonly payment: SettlingPayment;
  readonly attempts: readonly Attempt[];
}

/** What settlement does next with a payment as the database holds it. */
export function planPayment(
  { payment, attempts }: PaymentWithAttempts,
  now: Date,
  timing: SettlementTiming,
): SettlementPlan {
  const attempt = openAttemptOf(attempts);
  const { status, statusDetail, rejections, releaseAt, updatedAt, heldSince, funding } = payment;
  return planSettlement(
    {
      ...{ status, statusDetail, rejections, releaseAt, updatedAt, heldSince },
      depositUntil: funding?.status === 'AWAITED' ? new Date(funding.expiresAt) : null,
      isContradicted: payment.reconciliationStatus === 'EXCEPTION',
      attempt:
        attempt !== null && isOpenPhase(attempt.phase)
          ? { ...attempt, phase: attempt.phase }
          : null,
      unconfirmedRejection: unconfirmedRejectionOf(attempts),
    },
    now,
    timing,
  );
}

/** What the payment's workflow does next: end, or look again after `waitMs` at the latest. */
export type PaymentStep =
  | { readonly kind: 'DONE'; readonly status: string }
  | {
      readonly kind: 'WAIT';
      readonly waitMs: number;
      readonly needsHuman: boolean;
      /** Histories from before have none. */
      readonly standing?: Standing;
    };

/** What Temporal UI shows of a payment that waits. */
export interface Standing {
  /** Status and detail: `ON_HOLD / STALLED`. */
  readonly state: string;
  /** Since when, ISO 8601. */
  readonly since: string;
  /** Of its last attempt, as the bank knows it; null before the first, and where attempts were not read. */
  readonly reference: string | null;
}

/** The step of a payment that waits, as it is after what was just committed. */
export function waitStep(
  { payment, attempts }: WaitingPayment,
  { waitMs, needsHuman }: { readonly waitMs: number; readonly needsHuman: boolean },
): PaymentStep {
  const { status, statusDetail, heldSince, updatedAt } = payment;
  const standing = {
    state: `${status} / ${statusDetail}`,
    since: (heldSince ?? updatedAt).toISOString(),
    reference: attempts.at(-1)?.reference ?? null,
  };
  return { kind: 'WAIT', waitMs, needsHuman, standing };
}

interface WaitingPayment {
  readonly payment: Pick<SettlingPayment, 'status' | 'statusDetail' | 'heldSince' | 'updatedAt'>;
  readonly attempts: readonly Pick<Attempt, 'reference'>[];
}

/** The next step of a caller that may only wait: anything to be done at once is a wait of 0. */
export function nextStep(
  known: PaymentWithAttempts,
  now: Date,
  timing: SettlementTiming,
): PaymentStep {
  const plan = planPayment(known, now, timing);
  const { payment } = known;
  if (plan.kind === 'DONE') return { kind: 'DONE', status: payment.status };
  const needsHuman =
    payment.status === 'ON_HOLD'
      ? isForOperators(payment.statusDetail)
      : isHeldBack(openAttemptOf(known.attempts));
  return waitStep(known, { waitMs: plan.kind === 'WAIT' ? plan.waitMs : 0, needsHuman });
}

/** Whether a restored attempt is not sent for what its rail does not know, and was not sent since. */
const isHeldBack = (attempt: Attempt | null): boolean =>
  attempt !== null && attempt.phase === 'UNKNOWN' && attempt.isRestored && attempt.heldBy !== null;
