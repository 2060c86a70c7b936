import type { OrderPrice } from '../../domain/payments/price-order.ts';
import type { PaymentRow } from '../../db/payments/payment-store.ts';
import type { EventDraft } from '../../domain/webhooks/events/envelope.ts';
import type { Scope } from '../../domain/scope.ts';
import { paymentEventView } from './payment-view.ts';

/** What is decided about a payment before it exists. The amount is in minor units of its currency. */
export type QueuedOrder = Scope &
  Pick<
    PaymentRow,
    | 'id'
    | 'endUserId'
    | 'bankAccountId'
    | 'walletId'
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
  Partial<Pick<PaymentRow, 'kind' | 'scheduledFor' | 'releaseAt' | 'funding'> & PaymentPrice>;

/** What a payment costs, as its row has it. Left out: its own amount, and no fees. */
export type PaymentPrice = Pick<
  PaymentRow,
  'quoteId' | 'sourceCurrency' | 'sourceAmount' | 'rate' | 'fees'
>;

/** A price as a payment's row has it. */
export const priceOf = ({ source, rate, fees }: OrderPrice, quoteId: string | null) => ({
  quoteId,
  sourceCurrency: source.currency,
  sourceAmount: source.minor,
  rate,
  fees,
});

/** A payment at its first version: its funds are held or awaited, and no worker has touched it. */
export function firstVersion(order: QueuedOrder, now: Date): PaymentRow {
  const { scheduledFor = null, releaseAt = null, funding = null } = order;
  const queued = releaseAt === null ? 'QUEUED' : 'SCHEDULED';
  return {
    sourceCurrency: order.currency,
    sourceAmount: order.amount,
    rate: null,
    quoteId: null,
    fees: [],
    kind: 'PAYOUT',
    ...order,
    scheduledFor,
    releaseAt,
    funding,
    seq: 0n,
    status: 'PROCESSING',
    statusDetail: funding === null ? queued : 'AWAITING_DEPOSIT',
    fundsStatus: funding === null ? 'HELD' : 'AWAITED',
    finality: 'NONE',
    finalAt: null,
    finalDueAt: null,
    failure: null,
    returnInfo: null,
    reconciliationStatus: 'PENDING',
    reconciliationEvidence: null,
    rejections: 0,
    hasOpenAttempt: false,
    mayHaveLeft: false,
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
