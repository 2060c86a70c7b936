import type { OrderPrice } from '../../domain/payments/price-order.ts';
import type { PaymentRow } from '../../db/payments/payment-store.ts';
import type { EventDraft } from '../../domain/webhooks/events/envelope.ts';
import type { Scope } from '../../domain/scope.ts';
import type { PricingQuote } from './order-check.ts';
import { paymentEventView } from './payment-view.ts';

/** What acceptance decides of a payment. Without a price it costs its own amount, and no fees. */
type AcceptedFields = Scope &
  Pick<
    PaymentRow,
    | 'id'
    | 'endUserId'
    | 'destination'
    | 'idempotencyKey'
    | 'workflowId'
    | 'unit'
    | 'amount'
    | 'externalId'
    | 'purpose'
    | 'personal'
    | 'ownerKey'
    | 'refs'
  > &
  Partial<
    Pick<PaymentRow, 'kind' | 'scheduledFor' | 'releaseAt' | 'funding' | RequoteField | PriceField>
  >;

type RequoteField = 'maxSourceAmount' | 'requoteUntil';
type PriceField = 'quoteId' | 'sourceUnit' | 'sourceAmount' | 'rate' | 'rateHeldUntil' | 'fees';

/** What an order costs, as its payment's row has it. */
export const priceFields = ({
  price,
  quote,
}: {
  readonly price: OrderPrice;
  readonly quote: Pick<PricingQuote, 'id' | 'rateHeldUntil'> | null;
}): Pick<PaymentRow, PriceField> => ({
  quoteId: quote?.id ?? null,
  sourceUnit: price.source.currency,
  sourceAmount: price.source.minor,
  rate: price.rate,
  rateHeldUntil: quote?.rateHeldUntil ?? null,
  fees: price.fees,
});

/** A payment at its first version: its funds are held or awaited, and no worker has touched it. */
export function firstVersion(accepted: AcceptedFields, now: Date): PaymentRow {
  const { scheduledFor = null, releaseAt = null, funding = null } = accepted;
  const queued = releaseAt === null ? 'QUEUED' : 'SCHEDULED';
  return {
    sourceUnit: accepted.unit,
    sourceAmount: accepted.amount,
    rate: null,
    rateHeldUntil: null,
    maxSourceAmount: null,
    requoteUntil: null,
    quoteId: null,
    fees: [],
    kind: 'PAYOUT',
    ...accepted,
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
