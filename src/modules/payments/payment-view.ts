import type { HistoryRow } from '../../db/payments/payment-history-store.ts';
import type { PaymentRow } from '../../db/payments/payment-store.ts';
import { totalOf, type PaymentMoney } from '../../domain/ledger/movements.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import { unitOf } from '../../domain/money/unit-of.ts';
import { failureView, finalityView, isPreliminary, returnView } from './outcome-view.ts';
import { isCancelable } from '../../domain/payments/cancel-rules.ts';
import { destinationIds, networkOf, railOf } from '../../domain/payments/payment-destination.ts';
import { viewFunding } from './funding-view.ts';
import { viewFee } from './quotes/fee-view.ts';
import { isErased } from '../../vault/owner-key.ts';
import type { Vault } from '../../vault/vault.ts';
import type { PaymentArrival } from './payment-arrival.ts';
import { paymentRow, type PaymentPersonal } from './payment-personal.ts';
import { viewArrival } from './view-arrival.ts';

/** Of a payment whose end-user was erased. */
const NOTHING_PERSONAL: PaymentPersonal = { reference: null, metadata: {} };

/** What the ledger needs of a payment. */
export function paymentMoney(
  payment: Pick<
    PaymentRow,
    'destination' | 'unit' | 'amount' | 'sourceUnit' | 'sourceAmount' | 'fees' | 'maxSourceAmount'
  >,
): PaymentMoney {
  return {
    rail: railOf(payment.destination),
    source: { currency: payment.sourceUnit, minor: payment.sourceAmount },
    target: { currency: payment.unit, minor: payment.amount },
    maxSourceAmount: payment.maxSourceAmount,
    fees: payment.fees.map(({ type, amount }) => ({
      ...{ currency: payment.sourceUnit, minor: BigInt(amount) },
      ...(type === 'ROUNDING' && { account: 'rounding' as const }),
    })),
  };
}

/**
 * A payment as events carry it: the API's fields that change with its version alone, less reference, metadata and
 * history.
 */
export function paymentEventView(payment: PaymentRow): Record<string, unknown> {
  const { destination, unit, sourceUnit } = payment;
  const money = paymentMoney(payment);
  return {
    id: payment.id,
    kind: payment.kind,
    status: payment.status,
    statusDetail: payment.statusDetail,
    fundsStatus: payment.fundsStatus,
    finality: finalityView(payment),
    preliminary: isPreliminary(payment),
    cancelable: isCancelable(payment),
    scheduledFor: payment.scheduledFor,
    releaseAt: payment.releaseAt?.toISOString() ?? null,
    endUserId: payment.endUserId,
    ...destinationIds(destination),
    rail: railOf(destination),
    network: networkOf(destination),
    amount: formatAmount(payment.amount, unit),
    ...unitOf(unit),
    quoteId: payment.quoteId,
    source: {
      ...unitOf(sourceUnit),
      amount: formatAmount(totalOf(money).minor, sourceUnit),
    },
    funding: viewFunding(payment.funding),
    rate: payment.rate,
    rateHeldUntil: payment.rateHeldUntil?.toISOString() ?? null,
    ...requoteView(payment),
    fees: payment.fees.map((fee) => viewFee(fee, sourceUnit)),
    externalId: payment.externalId,
    purpose: payment.purpose,
    failure: failureView(payment.failure),
    return: returnView(payment.returnInfo, money),
    references: payment.refs,
    reconciliation: {
      status: payment.reconciliationStatus,
      evidence: payment.reconciliationEvidence,
    },
    version: payment.version,
    createdAt: payment.createdAt.toISOString(),
    updatedAt: payment.updatedAt.toISOString(),
  };
}

/** What becomes of the payment when its rate is over. */
function requoteView({ quoteId, sourceUnit, maxSourceAmount, requoteUntil }: PaymentRow) {
  const isRequoted = maxSourceAmount !== null;
  return {
    onQuoteExpiry: quoteId === null ? null : isRequoted ? 'REQUOTE' : 'FAIL',
    maxSourceAmount: isRequoted ? formatAmount(maxSourceAmount, sourceUnit) : null,
    requoteUntil: requoteUntil?.toISOString() ?? null,
  };
}

/** A payment as the API shows it to its customer. */
export function paymentView(
  payment: PaymentRow,
  {
    history,
    arrival,
  }: { readonly history: readonly HistoryRow[]; readonly arrival: PaymentArrival },
  vault: Vault,
): Record<string, unknown> {
  const personal = isErased(payment)
    ? NOTHING_PERSONAL
    : vault.of(payment).openJson<PaymentPersonal>(payment.personal, paymentRow(payment.id));
  return {
    ...paymentEventView(payment),
    expectedArrival: viewArrival(arrival),
    idempotencyKey: payment.idempotencyKey,
    reference: personal.reference,
    metadata: personal.metadata,
    statusHistory: history.map((row) => ({
      status: row.status,
      statusDetail: row.statusDetail,
      at: row.at.toISOString(),
      version: row.version,
    })),
  };
}
