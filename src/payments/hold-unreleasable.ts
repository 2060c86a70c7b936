import { lockReleaseShared } from '../db/release-stop-store.ts';
import { mayHaveLostLife } from '../db/restore-mode-store.ts';
import type { AttemptRow } from '../db/settlement-attempt-store.ts';
import { systemActor } from '../domain/actor.ts';
import { attemptAbandoned } from '../domain/payments/attempt.ts';
import type { PaymentChange } from '../domain/payments/payment.ts';
import type { PaymentStep } from '../domain/payments/next-step.ts';
import {
  KYC_WITHDRAWN_MAX_MS,
  type SettlementTiming,
} from '../domain/payments/settlement-timing.ts';
import { changePayment } from './change-payment.ts';
import { findReleaseProblem } from './find-release-problem.ts';
import type { LockedPayment } from './locked-payment.ts';
import { saveAttempt } from './take-steps.ts';

const SETTLEMENT = systemActor('settlement');

/**
 * Holds a payment that may not leave now, and says what happens instead of the send; null where nothing
 * is in its way. Where bytes may have left before, the bank is asked on meanwhile. After 30 days
 * without KYC a payment of which nothing left fails; of the others an operator is told.
 */
export async function holdUnreleasable(
  locked: LockedPayment,
  attempt: AttemptRow | null,
  timing: SettlementTiming,
): Promise<PaymentStep | { readonly kind: 'ASK'; readonly attempt: AttemptRow } | null> {
  const { payment, now } = locked;
  const problem = await findReleaseProblem(locked);
  if (problem === null) return null;
  const isHeldForIt = payment.status === 'ON_HOLD' && payment.statusDetail === problem;
  const heldSince = isHeldForIt ? (payment.heldSince ?? now) : now;
  const isOver =
    problem === 'KYC_WITHDRAWN' && now.getTime() - heldSince.getTime() >= KYC_WITHDRAWN_MAX_MS;
  // Funds for a transfer that the bank may have seen are never given back without its answer.
  const mayHaveLeft = attempt !== null && !['READY', 'NOT_SENT'].includes(attempt.phase);
  if (isOver && !mayHaveLeft) {
    // The search for a problem ended before it took the lock: restore mode may be beginning.
    await lockReleaseShared(locked.tx);
    if (!(await mayHaveLostLife(locked.tx, payment.createdAt))) return failForKyc(locked, attempt);
  }
  if (!isHeldForIt || isOver) {
    const statusDetail = isOver ? 'STALLED' : problem;
    await changePayment(locked, { status: 'ON_HOLD', statusDetail }, SETTLEMENT);
  }
  if (!mayHaveLeft) return { kind: 'WAIT', waitMs: timing.holdCheckMs, needsHuman: isOver };
  const untilAskMs = (attempt.nextAskAt?.getTime() ?? 0) - now.getTime();
  if (untilAskMs <= 0) return { kind: 'ASK', attempt };
  return { kind: 'WAIT', waitMs: Math.min(timing.holdCheckMs, untilAskMs), needsHuman: isOver };
}

const KYC_FAILED: PaymentChange = {
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
  movements: [{ kind: 'RELEASE' }],
};

async function failForKyc(locked: LockedPayment, attempt: AttemptRow | null): Promise<PaymentStep> {
  const closed =
    attempt === null
      ? locked
      : await saveAttempt(locked, attemptAbandoned(attempt, 'KYC_WITHDRAWN', locked.now));
  const { payment } = await changePayment(closed, KYC_FAILED, SETTLEMENT);
  return { kind: 'DONE', status: payment.status };
}
