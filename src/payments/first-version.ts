import type { PaymentRow } from '../db/payment-store.ts';
import type { EventDraft } from '../domain/events/envelope.ts';
import type { Scope } from '../domain/scope.ts';
import { paymentEventView } from './payment-view.ts';

/** What is decided about a payment before it exists. The amount is in minor units of its currency. */
export type QueuedOrder = Scope &
  Pick<
    PaymentRow,
    | 'id'
    | 'endUserId'
    | 'bankAccountId'
    | 'idempotencyKey'
    | 'workflowId'
    | 'rail'
    | 'currency'
    | 'amount'
    | 'externalId'
    | 'purpose'
    | 'personal'
    | 'ownerKey'
    | 'refs'
  > &
  Partial<Pick<PaymentRow, 'kind'>>;

/** A payment at its first version: its funds are held, and no worker has touched it. */
export function firstVersion(order: QueuedOrder, now: Date): PaymentRow {
  return {
    kind: 'PAYOUT',
    ...order,
    seq: 0n,
    sourceCurrency: order.currency,
    sourceAmount: order.amount,
    rate: null,
    status: 'PROCESSING',
    statusDetail: 'QUEUED',
    fundsStatus: 'HELD',
    finality: 'NONE',
    finalAt: null,
    failure: null,
    returnInfo: null,
    reconciliationStatus: 'PENDING',
    reconciliationEvidence: null,
    rejections: 0,
    hasOpenAttempt: false,
    heldSince: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

/** The event of a payment's first version. */
export function paymentCreated(payment: PaymentRow): EventDraft {
  return {
    type: 'payment.created',
    resourceType: 'payment',
    resourceId: payment.id,
    resourceVersion: payment.version,
    data: paymentEventView(payment),
  };
}
