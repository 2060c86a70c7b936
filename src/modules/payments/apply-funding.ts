import { showReceived } from '../../db/payments/payment-funding-store.ts';
import { lockBook } from '../ledger/funding/locked-book.ts';
import { systemActor } from '../../domain/actor.ts';
import { amountReceived } from '../../domain/onchain/deposits/funding-book.ts';
import { situationOf } from '../../domain/onchain/deposits/funding-situation.ts';
import type { PaymentChange } from '../../domain/payments/payment.ts';
import { isPaidBefore, NOT_PAID_BEFORE } from '../../domain/payments/paid-before-restore.ts';
import { isSettledOrFinal } from '../../domain/payments/payment-states.ts';
import { isForOperators } from '../../domain/payments/next-bank-step.ts';
import { changePayment } from './change-payment.ts';
import type { LockedPayment } from './locked-payment.ts';

/**
 * Lets a locked payment that deposits pay for show what they have become since: one version where it stands
 * elsewhere, or where more or less is there for it. Its funding and its deposits are locked behind it.
 */
export async function applyFunding(locked: LockedPayment): Promise<LockedPayment> {
  const { tx, scope, payment, now } = locked;
  const shown = payment.funding;
  if (shown === null || isSettledOrFinal(payment.status)) return locked;
  const key = { paymentId: payment.id, depositAddressId: null, depositId: null } as const;
  const book = await lockBook(tx, scope, key);
  const { funding } = book;
  if (funding === null) throw new Error(`payment ${payment.id} has lost what it waits for`);
  const received = amountReceived(book.rows);
  const isTold = shown.amountReceived === received.toString();
  if (!isTold) await showReceived(tx, scope, payment.id, received, now);
  const { status } = funding;
  const next = { ...shown, status, amountReceived: received.toString() };
  const current = { ...locked, book, payment: { ...payment, funding: next } };
  const situation = situationOf(payment, funding, book.rows);
  const moved = situation && changeTo(payment, situation);
  // Once it is complete its rail is asked as before any send of what may have been sent before a restore.
  const isAsked = status === 'HELD' && isPaidBefore(payment);
  const change = isAsked ? { ...moved, ...NOT_PAID_BEFORE } : moved;
  if (change === null && isTold) return current;
  return changePayment(current, change ?? {}, systemActor('chain'));
}

/** Null where it stands there. A hold that waits for an operator stays one. */
function changeTo(
  payment: LockedPayment['payment'],
  { statusDetail, fundsStatus }: NonNullable<ReturnType<typeof situationOf>>,
): PaymentChange | null {
  if (payment.status === 'ON_HOLD' && isForOperators(payment.statusDetail)) {
    return payment.fundsStatus === fundsStatus ? null : { fundsStatus };
  }
  const isThere = payment.statusDetail === statusDetail && payment.fundsStatus === fundsStatus;
  return isThere ? null : { status: 'PROCESSING', statusDetail, fundsStatus };
}
