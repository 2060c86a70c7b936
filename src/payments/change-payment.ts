import type { ScopedTransaction } from '../db/database.ts';
import { updatePayment } from '../db/payment-write-store.ts';
import type { PaymentRow } from '../db/payment-store.ts';
import type { PostingKind } from '../domain/ledger/postings.ts';
import { paymentEventType } from '../domain/payments/payment-events.ts';
import { isFinal, isLegalMove } from '../domain/payments/payment-states.ts';
import type { Scope } from '../domain/scope.ts';
import { postTransaction } from '../ledger/post-transaction.ts';
import { paymentEventView } from './payment-view.ts';

/** What a change may touch; everything else of a payment is as it was ordered. */
export type PaymentPatch = Partial<
  Pick<
    PaymentRow,
    | 'status'
    | 'statusDetail'
    | 'fundsStatus'
    | 'failure'
    | 'returnInfo'
    | 'reconciliationStatus'
    | 'reconciliationEvidence'
    | 'refs'
    | 'rejections'
    | 'hasOpenAttempt'
  >
>;

export interface PaymentChange extends PaymentPatch {
  /** Money that moves with this change, in order. A return may move less than the payment. */
  readonly postings?: readonly { readonly kind: PostingKind; readonly amount?: bigint }[];
  /** Who asked: `settle`, `callback`, `statement`, `ops:<name>`, ... */
  readonly actor: string;
}

/**
 * The one way to change a payment. The caller holds the row's lock and gives the row as it read it;
 * written together are the next version, its history, its ledger postings, its event and deliveries.
 * Throws where the state table has no such move; the database would refuse it too.
 */
export async function changePayment(
  tx: ScopedTransaction,
  scope: Scope,
  payment: PaymentRow,
  change: PaymentChange,
  now: Date,
): Promise<PaymentRow> {
  const { postings = [], actor, ...patch } = change;
  const status = patch.status ?? payment.status;
  if (status !== payment.status && !isLegalMove(payment.status, status)) {
    throw new Error(`payment ${payment.id} cannot move from ${payment.status} to ${status}`);
  }
  const next: PaymentRow = {
    ...payment,
    ...patch,
    ...finalityOf(payment, status, now),
    heldSince: status === 'ON_HOLD' ? heldSince(payment, patch, now) : null,
    version: payment.version + 1,
    updatedAt: now,
  };
  const type = paymentEventType({
    from: payment.status,
    to: status,
    reconciled:
      next.reconciliationStatus === 'RECONCILED' && payment.reconciliationStatus !== 'RECONCILED',
  });
  await updatePayment(
    tx,
    scope,
    next,
    {
      type,
      resourceType: 'payment',
      resourceId: payment.id,
      resourceVersion: next.version,
      data: paymentEventView(next),
      previous: { status: payment.status, statusDetail: payment.statusDetail },
    },
    actor,
  );
  // Last, as in acceptance: the balance is what every payment of the customer needs.
  for (const posting of postings) {
    const { rail, currency } = payment;
    const amount = posting.amount ?? payment.amount;
    if (amount === 0n) continue;
    const ledger = { kind: posting.kind, paymentId: payment.id, rail, currency, amount };
    const isPosted = await postTransaction(tx, scope, ledger, now);
    if (!isPosted)
      throw new Error(`payment ${payment.id}: the ledger did not take ${posting.kind}`);
  }
  return next;
}

/** Since when it waits for the reason it waits for now: another reason starts anew. */
function heldSince(payment: PaymentRow, patch: PaymentPatch, now: Date): Date {
  const isSame = (patch.statusDetail ?? payment.statusDetail) === payment.statusDetail;
  return (isSame ? payment.heldSince : null) ?? now;
}

/** COMPLETED may still come back, so it is provisional; a final status is final at once. */
function finalityOf(
  payment: PaymentRow,
  status: PaymentRow['status'],
  now: Date,
): Pick<PaymentRow, 'finality' | 'finalAt'> {
  if (isFinal(status)) return { finality: 'FINAL', finalAt: payment.finalAt ?? now };
  return { finality: status === 'COMPLETED' ? 'PROVISIONAL' : 'NONE', finalAt: null };
}
