import type { HistoryRow } from '../../db/payments/payment-history-store.ts';
import type { PaymentRow } from '../../db/payments/payment-store.ts';
import { totalOf, type PaymentMoney } from '../../domain/ledger/movements.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import { unitOf } from '../../domain/money/unit-of.ts';
import { failureView, finalityView, isPreliminary, returnView } from './outcome-view.ts';
import { isCancelable } from '../../domain/payments/cancel-rules.ts';
import { viewFunding } from './funding-view.ts';
import { viewFee } from './quotes/fee-view.ts';
import { isErased } from '../../vault/owner-key.ts';
import type { Vault } from '../../vault/vault.ts';

/** The part of a payment that only the API may show, sealed under its end-user's key. */
export interface PaymentPersonal {
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Of a payment whose end-user was erased. */
const NOTHING_PERSONAL: PaymentPersonal = { reference: null, metadata: {} };

export const paymentRow = (id: string): string => `payments/${id}`;

/** What the ledger needs of a payment. */
export function paymentMoney(
  payment: Pick<
    PaymentRow,
    'rail' | 'currency' | 'amount' | 'sourceCurrency' | 'sourceAmount' | 'fees'
  >,
): PaymentMoney {
  return {
    rail: payment.rail,
    source: { currency: payment.sourceCurrency, minor: payment.sourceAmount },
    target: { currency: payment.currency, minor: payment.amount },
    fees: payment.fees.map(({ type, amount }) => ({
      ...{ currency: payment.sourceCurrency, minor: BigInt(amount) },
      ...(type === 'ROUNDING' && { account: 'rounding' as const }),
    })),
  };
}

/** The network that a payment to a wallet goes over; null to a bank account. */
export const networkOf = ({
  walletId,
  rail,
}: Pick<PaymentRow, 'walletId' | 'rail'>): string | null => (walletId === null ? null : rail);

/** A payment as events carry it: all of the API's fields less reference, metadata and history. */
export function paymentEventView(payment: PaymentRow): Record<string, unknown> {
  const { currency } = payment;
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
    bankAccountId: payment.bankAccountId,
    walletId: payment.walletId,
    rail: payment.rail,
    network: networkOf(payment),
    amount: formatAmount(payment.amount, currency),
    ...unitOf(currency),
    quoteId: payment.quoteId,
    source: {
      ...unitOf(payment.sourceCurrency),
      amount: formatAmount(totalOf(money).minor, payment.sourceCurrency),
    },
    funding: viewFunding(payment.funding),
    rate: payment.rate,
    fees: payment.fees.map((fee) => viewFee(fee, payment.sourceCurrency)),
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

/** A payment as the API shows it to its customer. */
export function paymentView(
  payment: PaymentRow,
  history: readonly HistoryRow[],
  vault: Vault,
): Record<string, unknown> {
  const personal = isErased(payment)
    ? NOTHING_PERSONAL
    : vault.of(payment).openJson<PaymentPersonal>(payment.personal, paymentRow(payment.id));
  return {
    ...paymentEventView(payment),
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
