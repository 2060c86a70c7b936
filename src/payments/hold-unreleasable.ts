import type { ScopedTransaction } from '../db/database.ts';
import type { PaymentRow } from '../db/payment-store.ts';
import { updateAttempt, type AttemptRow } from '../db/settlement-attempt-store.ts';
import {
  KYC_WITHDRAWN_MAX_MS,
  type SettlementTiming,
} from '../domain/payments/settlement-timing.ts';
import type { Scope } from '../domain/scope.ts';
import { changePayment } from './change-payment.ts';
import type { PaymentStep } from './plan-payment.ts';
import { findReleaseProblem } from './find-release-problem.ts';

/**
 * Holds a payment whose right to leave was withdrawn, and says what happens instead of the send; null
 * where nothing is in its way. Where bytes may have left before, the bank is asked on meanwhile. After
 * 30 days without KYC a payment of which nothing left fails; of the others an operator is told.
 */
export async function holdUnreleasable(
  timing: SettlementTiming,
  tx: ScopedTransaction,
  scope: Scope,
  { payment, attempt }: { readonly payment: PaymentRow; readonly attempt: AttemptRow | null },
  now: Date,
): Promise<PaymentStep | { readonly kind: 'ASK'; readonly attempt: AttemptRow } | null> {
  const problem = await findReleaseProblem(tx, scope, payment);
  if (problem === null) return null;
  const isHeldForIt = payment.status === 'ON_HOLD' && payment.statusDetail === problem;
  const heldSince = isHeldForIt ? (payment.heldSince ?? now) : now;
  const isOver =
    problem === 'KYC_WITHDRAWN' && now.getTime() - heldSince.getTime() >= KYC_WITHDRAWN_MAX_MS;
  // What the bank may have seen is never given back on our word alone.
  const mayHaveLeft = attempt !== null && attempt.phase !== 'NOT_SENT';
  if (isOver && !mayHaveLeft) {
    return { kind: 'DONE', status: await failForKyc(tx, scope, { payment, attempt }, now) };
  }
  if (!isHeldForIt || isOver) {
    const statusDetail = isOver ? 'STALLED' : problem;
    const patch = { status: 'ON_HOLD', statusDetail, actor: 'settle' } as const;
    await changePayment(tx, scope, payment, patch, now);
  }
  if (!mayHaveLeft) return { kind: 'WAIT', waitMs: timing.holdCheckMs, needsHuman: false };
  const untilAskMs = (attempt.nextAskAt?.getTime() ?? 0) - now.getTime();
  if (untilAskMs <= 0) return { kind: 'ASK', attempt };
  return { kind: 'WAIT', waitMs: Math.min(timing.holdCheckMs, untilAskMs), needsHuman: isOver };
}

async function failForKyc(
  tx: ScopedTransaction,
  scope: Scope,
  { payment, attempt }: { readonly payment: PaymentRow; readonly attempt: AttemptRow | null },
  now: Date,
): Promise<PaymentRow['status']> {
  if (attempt !== null) {
    const ended = { ...attempt, phase: 'REJECTED', reason: 'KYC_WITHDRAWN' } as const;
    await updateAttempt(tx, scope, ended, now);
  }
  const failed = await changePayment(
    tx,
    scope,
    payment,
    {
      status: 'FAILED',
      statusDetail: 'KYC_WITHDRAWN',
      fundsStatus: 'BACK_IN_BALANCE',
      hasOpenAttempt: false,
      failure: {
        code: 'kyc_withdrawn',
        category: 'KYC',
        message: "The end-user's KYC approval was withdrawn and not restored within 30 days.",
        retryable: false,
        railCode: null,
      },
      postings: [{ kind: 'RELEASE' }],
      actor: 'settle',
    },
    now,
  );
  return failed.status;
}
