import {
  isForOperators,
  planSettlement,
  type SettlementPlan,
} from '../domain/payments/settlement-plan.ts';
import type { SettlementTiming } from '../domain/payments/settlement-timing.ts';
import type { AttemptRow } from '../db/settlement-attempt-store.ts';
import type { PaymentWithAttempts } from './apply-reports.ts';

/** The attempt that may still move money, if any. */
export function openAttemptOf(attempts: readonly AttemptRow[]): AttemptRow | null {
  return attempts.find((attempt) => isOpenPhase(attempt.phase)) ?? null;
}

/** The last attempt, where it was rejected and the bank was not asked about it again. */
export function unconfirmedRejectionOf(attempts: readonly AttemptRow[]): AttemptRow | null {
  const last = attempts.at(-1);
  return last?.phase === 'REJECTED' && !last.isRejectionConfirmed ? last : null;
}

/** What settlement does next with a payment as the database holds it. */
export function planPayment(
  known: PaymentWithAttempts,
  now: Date,
  timing: SettlementTiming,
): SettlementPlan {
  const attempt = openAttemptOf(known.attempts);
  const { payment } = known;
  return planSettlement(
    {
      status: payment.status,
      statusDetail: payment.statusDetail,
      rejections: payment.rejections,
      updatedAt: payment.updatedAt,
      isContradicted: payment.reconciliationStatus === 'EXCEPTION',
      attempt: attempt === null ? null : { ...attempt, phase: openPhase(attempt) },
      unconfirmedRejection: unconfirmedRejectionOf(known.attempts),
    },
    now,
    timing,
  );
}

/** What the payment's workflow does next: end, or look again after `waitMs` at the latest. */
export type PaymentStep =
  | { readonly kind: 'DONE'; readonly status: string }
  | { readonly kind: 'WAIT'; readonly waitMs: number; readonly needsHuman: boolean };

/** The next step for somebody who may only wait: anything to be done at once is a wait of 0. */
export function nextStep(
  known: PaymentWithAttempts,
  now: Date,
  timing: SettlementTiming,
): PaymentStep {
  const plan = planPayment(known, now, timing);
  const { payment } = known;
  if (plan.kind === 'DONE') return { kind: 'DONE', status: payment.status };
  const needsHuman = payment.status === 'ON_HOLD' && isForOperators(payment.statusDetail);
  return { kind: 'WAIT', waitMs: plan.kind === 'WAIT' ? plan.waitMs : 0, needsHuman };
}

type OpenPhase = 'SENDING' | 'NOT_SENT' | 'UNKNOWN' | 'ACCEPTED';

const isOpenPhase = (phase: AttemptRow['phase']): phase is OpenPhase =>
  phase === 'SENDING' || phase === 'NOT_SENT' || phase === 'UNKNOWN' || phase === 'ACCEPTED';

function openPhase(attempt: AttemptRow): OpenPhase {
  if (!isOpenPhase(attempt.phase)) throw new Error(`attempt ${attempt.reference} is not open`);
  return attempt.phase;
}
