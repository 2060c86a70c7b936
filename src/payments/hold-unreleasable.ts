import { lockReleaseShared } from '../db/release-stop-store.ts';
import { mayHaveLostLife } from '../db/restore-mode-store.ts';
import type { AttemptRow } from '../db/settlement-attempt-store.ts';
import { systemActor } from '../domain/actor.ts';
import { attemptAbandoned } from '../domain/payments/attempt.ts';
import type { PaymentStep } from '../domain/payments/next-step.ts';
import type { SettlementTiming } from '../domain/payments/settlement-timing.ts';
import type { PartyRef } from '../domain/work-refs.ts';
import { changePayment } from './change-payment.ts';
import { findReleaseProblem } from './find-release-problem.ts';
import type { LockedPayment } from './locked-payment.ts';
import { releaseEndOf, type ReleaseEnd } from './release-ends.ts';
import { saveAttempt } from './take-steps.ts';

const SETTLEMENT = systemActor('settlement');

/** What happens instead of a send. SCREEN: these names must be looked up, outside of the transaction. */
export type HeldStep =
  | PaymentStep
  | { readonly kind: 'ASK'; readonly attempt: AttemptRow }
  | { readonly kind: 'SCREEN'; readonly parties: readonly PartyRef[] };

export interface HoldRules {
  readonly timing: SettlementTiming;
  /** Parties that were looked up no later than this are looked up again. */
  readonly screenedSince: Date;
}

/**
 * Holds a payment that may not leave now, and says what happens instead of the send; null where nothing
 * is in its way. Where bytes may have left before, the bank is asked on meanwhile. What waited too long
 * for KYC or for a decision about a screening hit fails, as what operators have refused does at once,
 * if nothing of it left; of the others an operator is told.
 */
export async function holdUnreleasable(
  locked: LockedPayment,
  attempt: AttemptRow | null,
  { timing, screenedSince }: HoldRules,
): Promise<HeldStep | null> {
  const { payment, now } = locked;
  const problem = await findReleaseProblem(locked, screenedSince);
  if (problem === null) return null;
  if (problem === 'UNSCREENED') return { kind: 'SCREEN', parties: partiesOf(locked) };
  const isHeldForIt = payment.status === 'ON_HOLD' && payment.statusDetail === problem;
  const heldSince = isHeldForIt ? (payment.heldSince ?? now) : now;
  const end = releaseEndOf(problem);
  const isOver = end !== null && now.getTime() - heldSince.getTime() >= end.afterMs;
  // Funds for a transfer that the bank may have seen are never given back without its answer.
  const mayHaveLeft = attempt !== null && !['READY', 'NOT_SENT'].includes(attempt.phase);
  if (isOver && !mayHaveLeft) {
    // The search for a problem ended before it took the lock: restore mode may be beginning.
    await lockReleaseShared(locked.tx);
    if (!(await mayHaveLostLife(locked.tx, payment.createdAt))) return fail(locked, attempt, end);
  }
  if (!isHeldForIt || isOver) {
    const statusDetail = isOver ? 'STALLED' : problem;
    await changePayment(locked, { status: 'ON_HOLD', statusDetail }, SETTLEMENT);
  }
  const needsHuman = isOver || problem === 'COMPLIANCE_REVIEW';
  if (!mayHaveLeft) return { kind: 'WAIT', waitMs: timing.holdCheckMs, needsHuman };
  const untilAskMs = (attempt.nextAskAt?.getTime() ?? 0) - now.getTime();
  if (untilAskMs <= 0) return { kind: 'ASK', attempt };
  return { kind: 'WAIT', waitMs: Math.min(timing.holdCheckMs, untilAskMs), needsHuman };
}

const partiesOf = ({ payment }: LockedPayment): PartyRef[] => [
  { kind: 'END_USER', id: payment.endUserId },
  { kind: 'BANK_ACCOUNT', id: payment.bankAccountId },
];

async function fail(
  locked: LockedPayment,
  attempt: AttemptRow | null,
  { reason, change }: ReleaseEnd,
): Promise<PaymentStep> {
  const closed =
    attempt === null
      ? locked
      : await saveAttempt(locked, attemptAbandoned(attempt, reason, locked.now));
  const { payment } = await changePayment(closed, change, SETTLEMENT);
  return { kind: 'DONE', status: payment.status };
}
