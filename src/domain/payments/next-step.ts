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
  const { status, statusDetail, rejections, releaseAt, updatedAt, funding } = payment;
  return planSettlement(
    {
      ...{ status, statusDetail, rejections, releaseAt, updatedAt },
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
  | { readonly kind: 'WAIT'; readonly waitMs: number; readonly needsHuman: boolean };

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
  return { kind: 'WAIT', waitMs: plan.kind === 'WAIT' ? plan.waitMs : 0, needsHuman };
}

/** Whether a restored attempt is not sent for what its rail does not know, and was not sent since. */
const isHeldBack = (attempt: Attempt | null): boolean =>
  attempt !== null && attempt.phase === 'UNKNOWN' && attempt.isRestored && attempt.heldBy !== null;
