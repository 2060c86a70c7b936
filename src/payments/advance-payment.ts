import type { Database, ScopedTransaction } from '../db/database.ts';
import { lockPayment, type PaymentRow } from '../db/payment-store.ts';
import { updateAttempt, type AttemptRow } from '../db/settlement-attempt-store.ts';
import { assertNever } from '../domain/assert-never.ts';
import type { Clock } from '../domain/clock.ts';
import type { SettlementTiming } from '../domain/payments/settlement-timing.ts';
import type { Scope } from '../domain/scope.ts';
import type { Vault } from '../vault/vault.ts';
import { applyReports, type PaymentWithAttempts } from './apply-reports.ts';
import { changePayment } from './change-payment.ts';
import { holdUnreleasable } from './hold-unreleasable.ts';
import { openNextAttempt, type EncodeTransfer } from './open-attempt.ts';
import {
  nextStep,
  openAttemptOf,
  planPayment,
  unconfirmedRejectionOf,
  type PaymentStep,
} from './plan-payment.ts';

/** What must happen outside the database next, decided and committed inside it. */
export type NextAction =
  | PaymentStep
  | { readonly kind: 'SEND'; readonly attempt: AttemptRow }
  | { readonly kind: 'ASK'; readonly attempt: AttemptRow };

export interface AdvanceDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly timing: SettlementTiming;
  readonly encode: EncodeTransfer;
}

/**
 * Moves a payment on as far as the database alone can: applies what the bank reported, then decides
 * the next step and commits it. Whoever gets SEND is the only one that does: the attempt was written
 * under the payment's lock, and whoever comes after finds it and asks instead.
 */
export function advancePayment(
  deps: AdvanceDeps,
  scope: Scope,
  paymentId: string,
): Promise<NextAction> {
  return deps.db.write(scope, async (tx) => {
    const { known, now } = await readReports(deps, tx, scope, paymentId);
    const { payment, attempts } = known;
    const plan = planPayment(known, now, deps.timing);
    switch (plan.kind) {
      case 'DONE':
      case 'WAIT':
        return nextStep(known, now, deps.timing);
      case 'HOLD':
        await changePayment(
          tx,
          scope,
          payment,
          { status: 'ON_HOLD', statusDetail: plan.detail, actor: 'settle' },
          now,
        );
        return { kind: 'WAIT', waitMs: deps.timing.holdCheckMs, needsHuman: true };
      case 'ASK': {
        const attempt = openAttemptOf(attempts) ?? unconfirmedRejectionOf(attempts);
        if (attempt === null) throw new Error(`payment ${paymentId} has nothing to ask about`);
        return { kind: 'ASK', attempt };
      }
      case 'SEND_AGAIN': {
        const attempt = openAttemptOf(attempts);
        if (attempt === null) throw new Error(`payment ${paymentId} has no open attempt`);
        const held = await holdUnreleasable(deps.timing, tx, scope, { payment, attempt }, now);
        if (held !== null) return held;
        await takeUpAgain(tx, scope, payment, now);
        return { kind: 'SEND', attempt: await prepareToSendAgain(deps, tx, scope, attempt, now) };
      }
      case 'CLAIM': {
        const held = await holdUnreleasable(
          deps.timing,
          tx,
          scope,
          { payment, attempt: null },
          now,
        );
        if (held !== null) return held;
        return { kind: 'SEND', attempt: await openNextAttempt(deps, tx, scope, known, now) };
      }
      default:
        return assertNever(plan);
    }
  });
}

/** Applies what the bank reported meanwhile, and nothing else. For a workflow that was woken. */
export function applyPaymentReports(
  deps: Pick<AdvanceDeps, 'db' | 'clock' | 'timing'>,
  scope: Scope,
  paymentId: string,
): Promise<PaymentStep> {
  return deps.db.write(scope, async (tx) => {
    const { known, now } = await readReports(deps, tx, scope, paymentId);
    return nextStep(known, now, deps.timing);
  });
}

async function readReports(
  deps: Pick<AdvanceDeps, 'clock'>,
  tx: ScopedTransaction,
  scope: Scope,
  paymentId: string,
): Promise<{ readonly known: PaymentWithAttempts; readonly now: Date }> {
  const payment = await lockPayment(tx, scope, paymentId);
  if (payment === null) throw new Error(`there is no payment ${paymentId} in its scope`);
  // Read under the lock: a version must not be older than the one that it waited for.
  const now = deps.clock.now();
  return { known: await applyReports(tx, scope, payment, now), now };
}

/** The same bytes under the same reference: the bank said twice that it never saw them. */
async function prepareToSendAgain(
  deps: AdvanceDeps,
  tx: ScopedTransaction,
  scope: Scope,
  attempt: AttemptRow,
  now: Date,
): Promise<AttemptRow> {
  const wasSent = attempt.phase !== 'NOT_SENT';
  const next: AttemptRow = {
    ...attempt,
    phase: 'SENDING',
    sends: attempt.sends + (wasSent ? 1 : 0),
    deadlineAt: new Date(now.getTime() + deps.timing.attemptDeadlineMs),
    answeredAt: null,
    unknownSince: attempt.unknownSince ?? now,
    askBaseAt: now,
    nextAskAt: null,
    missingCount: 0,
  };
  await updateAttempt(tx, scope, next, now);
  return next;
}

/** A payment that was held with its attempt open, and is held no longer. */
async function takeUpAgain(
  tx: ScopedTransaction,
  scope: Scope,
  payment: PaymentRow,
  now: Date,
): Promise<void> {
  if (payment.status !== 'ON_HOLD') return;
  const patch = { status: 'PROCESSING', statusDetail: 'SUBMITTING', actor: 'settle' } as const;
  await changePayment(tx, scope, payment, patch, now);
}
