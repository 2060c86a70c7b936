import { railOf } from '../../domain/payments/payment-destination.ts';
import { wasRestoredSince } from '../../db/operations/restore-mode-store.ts';
import { keepNotPaid } from '../../db/payments/payment-funding-store.ts';
import { systemActor } from '../../domain/actor.ts';
import { assertNever } from '../../domain/assert-never.ts';
import { waitStep, type PaymentStep } from '../../domain/payments/next-step.ts';
import {
  FOUND,
  isOverSince,
  isPaidBefore,
  paidBefore,
  saysPaidBefore,
} from '../../domain/payments/paid-before-restore.ts';
import { nextAskAt } from '../../domain/payments/next-bank-step.ts';
import type { SettlementTiming } from '../../domain/payments/settlement-timing.ts';
import type { KeyedHashes } from '../../vault/keyed-hash.ts';
import type { AnswerAfterRestore } from './ask-after-restore.ts';
import { changePayment } from './change-payment.ts';
import { expirePayment } from './expire-payment.ts';
import type { LockedPayment } from './locked-payment.ts';
import { transferReference } from './transfer-reference.ts';

/** All rails must say whether a database before a restore sent it, under this reference or that of a later attempt. */
export interface AskAfterRestore {
  readonly kind: 'ASK_AFTER_RESTORE';
  /** The payment's own: where nothing serves it, all the others cannot tell. */
  readonly rail: string;
  readonly reference: string;
}

interface ExpireDeps {
  readonly vault: KeyedHashes;
  readonly timing: SettlementTiming;
}

/**
 * Ends a payment that was not paid for in time, since when; where that is not certain yet, it is looked at again.
 * `answer`: what its rails said where the step before was ASK_AFTER_RESTORE. They must say twice that it is not paid,
 * apart from each other. One that was paid, or may be, waits for operators: nothing of what came for it is given back.
 */
export async function expireOrWait(
  { timing, vault }: ExpireDeps,
  locked: LockedPayment,
  since: Date,
  answer: AnswerAfterRestore | null,
): Promise<PaymentStep | AskAfterRestore> {
  const { payment, scope, now } = locked;
  const reference = transferReference(vault, scope, payment.idempotencyKey, 1);
  const waitMs = nextAskAt(since, now, timing).getTime() - now.getTime();
  const isStalled = now.getTime() - since.getTime() >= timing.stalledAfterMs;
  if (answer?.kind === 'SILENT') return waitStep(locked, { waitMs, needsHuman: isStalled });
  if (answer?.kind === 'SEEN') return holdPaidBefore(locked, answer, timing);
  const isNotPaid = answer !== null && (await isSaidStill(locked, answer.rejected, timing));
  if (answer !== null && !isNotPaid) {
    const isForOperators = isPaidBefore(payment);
    const soon = isForOperators ? timing.holdCheckMs : timing.missingAfterMs;
    return waitStep(locked, { waitMs: soon, needsHuman: isForOperators });
  }
  const expiry = await expirePayment(locked, { timing, reference, isNotPaid });
  switch (expiry) {
    case 'EXPIRED':
      return { kind: 'DONE', status: expiry };
    case 'NOT_YET':
      return waitStep(locked, { waitMs, needsHuman: isNotPaid && isStalled });
    case 'ASK_RAILS':
      return { kind: 'ASK_AFTER_RESTORE', rail: railOf(payment.destination), reference };
    case 'SEEN':
      return holdPaidBefore(locked, { reference, said: FOUND }, timing);
    default:
      return assertNever(expiry);
  }
}

/**
 * Whether rails that have paid nothing said so before, long enough ago, and say nothing against what they said then.
 */
async function isSaidStill(
  { tx, scope, payment, book, now }: LockedPayment,
  rejected: readonly string[],
  { missingAfterMs }: SettlementTiming,
): Promise<boolean> {
  if (isPaidBefore(payment) && !isOverSince(payment, rejected)) return false;
  const said = book?.funding?.notPaidAt ?? null;
  // In the copy of a later restore it is the word of a life that may have sent it after.
  const since = said !== null && !(await wasRestoredSince(tx, said)) ? said : null;
  if (since === null) await keepNotPaid(tx, scope, payment.id, now);
  return since !== null && now.getTime() - since.getTime() >= missingAfterMs;
}

async function holdPaidBefore(
  locked: LockedPayment,
  { reference, said }: { readonly reference: string; readonly said: string },
  { holdCheckMs }: SettlementTiming,
): Promise<PaymentStep> {
  const { tx, scope, payment, book } = locked;
  if ((book?.funding?.notPaidAt ?? null) !== null) await keepNotPaid(tx, scope, payment.id, null);
  const held = saysPaidBefore(payment, reference, said)
    ? locked
    : await changePayment(locked, paidBefore(reference, said), systemActor('bank-enquiry'));
  return waitStep(held, { waitMs: holdCheckMs, needsHuman: true });
}
