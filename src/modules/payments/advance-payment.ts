import { railOf } from '../../domain/payments/payment-destination.ts';
import {
  findPaidBeforeRestore,
  type PaidBeforeRestore,
} from '../../db/operations/paid-before-restore-store.ts';
import { wasRestoredSince } from '../../db/operations/restore-mode-store.ts';
import type { AttemptRow } from '../../db/payments/settlement-attempt-store.ts';
import { systemActor } from '../../domain/actor.ts';
import { assertNever } from '../../domain/assert-never.ts';
import {
  attemptRestored,
  attemptSentAgain,
  openAttemptOf,
  readyAttemptOf,
  unconfirmedRejectionOf,
} from '../../domain/payments/attempt.ts';
import {
  nextStep,
  planPayment,
  waitStep,
  type PaymentStep,
} from '../../domain/payments/next-step.ts';
import { knownBefore, unsureBefore } from '../../domain/payments/paid-before-restore.ts';
import type { ListedNetworks } from '../../domain/onchain/listed-networks.ts';
import type { Scope } from '../../domain/scope.ts';
import { changePayment } from './change-payment.ts';
import type { AnswerAfterRestore } from './ask-after-restore.ts';
import { claimAttempt, type BankCall, type ClaimDeps } from './claim-attempt.ts';
import { expireOrWait, type AskAfterRestore } from './expire-or-wait.ts';
import { holdUnreleasable, type HeldStep, type HoldRules } from './hold-unreleasable.ts';
import { withLockedPayment, type LockDeps } from './lock-payment.ts';
import type { LockedPayment } from './locked-payment.ts';
import type { PricingSettings } from './quotes/pricing-settings.ts';
import { requoteIfOver } from './requote.ts';
import { saveAttempt } from './take-steps.ts';

/** What must happen outside the database next, decided and committed inside it. */
export type NextAction = HeldStep | BankCall | AskAfterRestore;

export interface AdvanceDeps extends LockDeps, ClaimDeps {
  /** Parties that were looked up in the sanctions list no later than this are looked up again. */
  readonly screenedSince: (now: Date) => Date;
  readonly networks: ListedNetworks;
  /** What a payment costs that is priced anew. */
  readonly settings: PricingSettings;
}

const SETTLEMENT = systemActor('settlement');

/**
 * Moves a payment on as far as the database alone can: applies what the bank reported, then decides
 * the next step and commits it. Only the caller that gets SEND sends: the attempt was written under
 * the payment's lock, and every later caller finds it and asks instead. `answerAfterRestore`: what its rails
 * said where the step before was ASK_AFTER_RESTORE.
 */
export function advancePayment(
  deps: AdvanceDeps,
  scope: Scope,
  paymentId: string,
  answerAfterRestore: AnswerAfterRestore | null = null,
): Promise<NextAction> {
  return withLockedPayment(deps, scope, paymentId, async (locked) => {
    const { attempts, now } = locked;
    const plan = planPayment(locked, now, deps.timing);
    switch (plan.kind) {
      case 'DONE':
      case 'WAIT':
        return nextStep(locked, now, deps.timing);
      case 'HOLD': {
        const change = { status: 'ON_HOLD', statusDetail: plan.detail } as const;
        const held = await changePayment(locked, change, SETTLEMENT);
        return waitStep(held, { waitMs: deps.timing.holdCheckMs, needsHuman: true });
      }
      case 'EXPIRE':
        return expireOrWait(deps, locked, plan.since, answerAfterRestore);
      case 'ASK': {
        const attempt = openAttemptOf(attempts) ?? unconfirmedRejectionOf(attempts);
        if (attempt === null) throw new Error(`payment ${paymentId} has nothing to ask about`);
        return { kind: 'ASK', attempt };
      }
      case 'SEND_AGAIN': {
        const attempt = openAttemptOf(attempts);
        if (attempt === null) throw new Error(`payment ${paymentId} has no open attempt`);
        return sendAgain(deps, locked, attempt);
      }
      case 'CLAIM': {
        const cleared = await clearToSend(deps, locked, readyAttemptOf(attempts));
        return 'step' in cleared ? cleared.step : claimAttempt(deps, cleared.locked);
      }
      default:
        return assertNever(plan);
    }
  });
}

/**
 * Applies what the bank reported and what deposits brought meanwhile, and nothing else. For a workflow that was
 * woken.
 */
export function applyPaymentReports(
  deps: LockDeps & Pick<ClaimDeps, 'timing'>,
  scope: Scope,
  paymentId: string,
): Promise<PaymentStep> {
  return withLockedPayment(deps, scope, paymentId, async (locked) =>
    nextStep(locked, locked.now, deps.timing),
  );
}

/** The payment as it may be sent now, at a rate that is held; or what happens instead. */
async function clearToSend(
  deps: AdvanceDeps,
  locked: LockedPayment,
  attempt: AttemptRow | null,
): Promise<{ readonly locked: LockedPayment } | { readonly step: HeldStep }> {
  const step = await holdUnreleasable(locked, attempt, holdRules(deps, locked.now));
  return step === null ? requoteIfOver(deps, locked, attempt) : { step };
}

/**
 * The same bytes under the same reference: the bank said twice that it never saw them. Where the database
 * was restored since the attempt was last written, the bank is asked anew: what it said may be lost.
 */
async function sendAgain(
  deps: AdvanceDeps,
  lockedBefore: LockedPayment,
  attempt: AttemptRow,
): Promise<NextAction> {
  const { timing } = deps;
  const cleared = await clearToSend(deps, lockedBefore, attempt);
  if ('step' in cleared) return cleared.step;
  const { locked } = cleared;
  const { status, statusDetail } = locked.payment;
  const current =
    status === 'ON_HOLD' || statusDetail === 'REQUOTED'
      ? await changePayment(
          locked,
          { status: 'PROCESSING', statusDetail: 'SUBMITTING' },
          SETTLEMENT,
        )
      : locked;
  // Another rail than this one may have paid it before the restore, for an order that differs.
  const elsewhere = attempt.isRestored ? await wordElsewhere(locked, attempt) : null;
  if (elsewhere !== null) {
    const held = await holdFor(current, attempt, elsewhere);
    return waitStep(held, { waitMs: timing.holdCheckMs, needsHuman: true });
  }
  if (await wasRestoredSince(locked.tx, attempt.updatedAt)) {
    const restored = attemptRestored(attempt, locked.now);
    await saveAttempt(current, restored);
    return { kind: 'ASK', attempt: restored };
  }
  const again = attemptSentAgain(attempt, locked.now, timing);
  await saveAttempt(current, again);
  return { kind: 'SEND', attempt: again, owner: locked.payment };
}

/** Says on an attempt what keeps it from being sent. What was paid before the restore waits for operators. */
async function holdFor(
  locked: LockedPayment,
  attempt: AttemptRow,
  word: PaidBeforeRestore,
): Promise<LockedPayment> {
  const isSeen = word.kind === 'SEEN';
  const heldBy = isSeen ? knownBefore(word.reference, word.place) : unsureBefore(word.networks);
  // Its time stays: after a further restore the bank is asked anew all the same.
  const held = attempt.heldBy === heldBy ? attempt : { ...attempt, heldBy };
  const saved = await saveAttempt(locked, held);
  if (!isSeen) return saved;
  return changePayment(saved, { status: 'ON_HOLD', statusDetail: 'STALLED' }, SETTLEMENT);
}

const wordElsewhere = ({ tx, payment }: LockedPayment, { reference }: AttemptRow) =>
  findPaidBeforeRestore(tx, payment.environment, reference, railOf(payment.destination));

const holdRules = ({ timing, networks, screenedSince }: AdvanceDeps, now: Date): HoldRules => ({
  ...{ timing, networks },
  screenedSince: screenedSince(now),
});
