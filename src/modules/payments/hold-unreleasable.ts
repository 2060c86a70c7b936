import { destinationIds } from '../../domain/payments/payment-destination.ts';
import { mayPredateRestoreOf } from '../../db/operations/restore-mode-store.ts';
import { lockReleaseShared } from '../../db/operations/release-stop-store.ts';
import type { AttemptRow } from '../../db/payments/settlement-attempt-store.ts';
import { systemActor } from '../../domain/actor.ts';
import { attemptAbandoned } from '../../domain/payments/attempt.ts';
import { mayBankKnow } from '../../domain/payments/cancel-rules.ts';
import { waitStep, type PaymentStep } from '../../domain/payments/next-step.ts';
import type { StatusDetail } from '../../domain/payments/payment-states.ts';
import { isRateHeld } from '../../domain/payments/quotes/rate-held-until.ts';
import { holdLookMs, type SettlementTiming } from '../../domain/payments/settlement-timing.ts';
import type { PartyRef } from '../../domain/workflows/work-refs.ts';
import { changePayment } from './change-payment.ts';
import { findReleaseProblem, type ReleaseRules } from './find-release-problem.ts';
import type { LockedPayment } from './locked-payment.ts';
import { mayHaveLeftUnseen } from './may-have-left-unseen.ts';
import { releaseEndOf, type ReleaseEnd } from './release-ends.ts';
import { isToRequote } from './requote.ts';
import { saveAttempt } from './take-steps.ts';

const SETTLEMENT = systemActor('settlement');

/**
 * What happens instead of a send. SCREEN: these names, and the wallet's address, must be looked up, outside
 * of the transaction. VASP: so must the one that keeps the wallet be asked; without its answer the payment waits.
 */
export type HeldStep =
  | PaymentStep
  | { readonly kind: 'ASK'; readonly attempt: AttemptRow }
  | {
      readonly kind: 'SCREEN';
      readonly parties: readonly PartyRef[];
      readonly walletId: string | null;
    }
  | { readonly kind: 'VASP'; readonly unlessAnswered: PaymentStep };

export interface HoldRules extends Omit<ReleaseRules, 'isRateJudgedLater'> {
  readonly timing: SettlementTiming;
}

/**
 * Holds a payment that may not leave now, and says what happens instead of the send; null where nothing
 * is in its way. Where bytes may have left before, the bank is asked on meanwhile. What waited too long
 * for KYC or for a decision about a screening hit fails, as what operators have refused does at once,
 * what has lost its account or wallet since the bank rejected it, and what waited for longer than its rate is held, or
 * than it may be priced anew, if nothing of it left; of the others an operator is told.
 */
export async function holdUnreleasable(
  locked: LockedPayment,
  attempt: AttemptRow | null,
  rules: HoldRules,
): Promise<HeldStep | null> {
  const { timing } = rules;
  const { payment, now } = locked;
  const isRateJudgedLater =
    !isRateHeld(payment, now) &&
    ((await isToRequote(locked, attempt)) || (await judgesRate(locked, attempt)));
  const problem = await findReleaseProblem(locked, { ...rules, isRateJudgedLater });
  if (problem === null) return null;
  if (problem === 'UNSCREENED') {
    const { walletId } = destinationIds(payment.destination);
    return { kind: 'SCREEN', parties: partiesOf(locked), walletId };
  }
  const isHeldForIt = payment.status === 'ON_HOLD' && payment.statusDetail === problem;
  const heldSince = isHeldForIt ? (payment.heldSince ?? now) : now;
  const end = releaseEndOf(problem, mayBankKnow(locked.attempts));
  const isOver = end !== null && now.getTime() - heldSince.getTime() >= end.afterMs;
  // Funds for a transfer that the bank may have seen are never given back without its answer.
  const mayHaveLeft = attempt !== null && !['READY', 'NOT_SENT'].includes(attempt.phase);
  if (isOver && !mayHaveLeft) {
    // The search for a problem ended before it took the lock: restore mode may be beginning.
    await lockReleaseShared(locked.tx);
    if (!(await mayHaveLeftUnseen(locked))) return fail(locked, attempt, end);
  }
  const change = { status: 'ON_HOLD', statusDetail: isOver ? 'STALLED' : problem } as const;
  const held = isHeldForIt && !isOver ? locked : await changePayment(locked, change, SETTLEMENT);
  const holdMs = lookAfter(problem, held, timing);
  const lookMs = Math.min(holdMs, untilRateEnds(locked));
  const needsHuman = isOver || problem === 'COMPLIANCE_REVIEW';
  if (!mayHaveLeft && problem === 'TRAVEL_RULE' && !isOver) {
    return { kind: 'VASP', unlessAnswered: waitStep(held, { waitMs: lookMs, needsHuman: false }) };
  }
  if (!mayHaveLeft) return waitStep(held, { waitMs: lookMs, needsHuman });
  const untilAskMs = (attempt.nextAskAt?.getTime() ?? 0) - now.getTime();
  if (untilAskMs <= 0) return { kind: 'ASK', attempt };
  return waitStep(held, { waitMs: Math.min(holdMs, untilAskMs), needsHuman });
}

/**
 * Whether the rail says what becomes of a payment whose rate is over, once nothing else holds it: it is asked what the
 * database before a restore may have sent, and the rail of a network sends nothing first at a rate that is over, but
 * rejects it.
 */
async function judgesRate(
  { tx, payment }: LockedPayment,
  attempt: AttemptRow | null,
): Promise<boolean> {
  if (attempt === null || attempt.phase === 'READY') return mayPredateRestoreOf(tx, payment);
  return payment.destination.kind === 'WALLET' && attempt.phase !== 'NOT_SENT';
}

/** A payment whose rate ends is looked at so seldom at the least, in ms: 10 seconds. */
const RATE_LOOK_MIN_MS = 10_000;

/**
 * In which distance a held payment is looked at again. Half of the time that its rate has left, at most: what is lifted
 * while there is a rate is sent at it, except in the last seconds. A VASP is asked in each look, and its answer wakes
 * nothing.
 */
function lookAfter(problem: StatusDetail, held: LockedPayment, timing: SettlementTiming): number {
  if (problem === 'TRAVEL_RULE') return timing.holdCheckMs;
  const halfMs = Math.max(RATE_LOOK_MIN_MS, untilRateEnds(held) / 2);
  return Math.min(holdLookMs(held.payment.heldSince, held.now, timing), halfMs);
}

/** Until the rate, or the time to price it anew, ends; for ever where neither does. */
function untilRateEnds({ payment: { rateHeldUntil, requoteUntil }, now }: LockedPayment): number {
  const leftMs = ((requoteUntil ?? rateHeldUntil)?.getTime() ?? Infinity) - now.getTime();
  return leftMs > 0 ? leftMs : Infinity;
}

const partiesOf = ({ payment }: LockedPayment): PartyRef[] => [
  { kind: 'END_USER', id: payment.endUserId },
  ...(payment.destination.kind === 'BANK'
    ? [{ kind: 'BANK_ACCOUNT', id: payment.destination.bankAccountId } as const]
    : []),
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
