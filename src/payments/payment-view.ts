import type { HistoryRow } from '../db/payment-history-store.ts';
import type { PaymentRow } from '../db/payment-store.ts';
import type { PaymentMoney } from '../domain/ledger/movements.ts';
import { formatAmount } from '../domain/money/amount.ts';
import { isFinal } from '../domain/payments/payment-states.ts';
import { isErased } from '../vault/owner-key.ts';
import type { Vault } from '../vault/vault.ts';

/** The part of a payment that only the API may show, sealed under its end-user's key. */
export interface PaymentPersonal {
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Of a payment whose end-user was erased. */
const NOTHING_PERSONAL: PaymentPersonal = { reference: null, metadata: {} };

export const paymentRow = (id: string): string => `payments/${id}`;

/** What the ledger needs of a payment. Payments carry no fees of their own yet. */
export function paymentMoney(
  payment: Pick<PaymentRow, 'rail' | 'currency' | 'amount' | 'sourceCurrency' | 'sourceAmount'>,
): PaymentMoney {
  return {
    rail: payment.rail,
    source: { currency: payment.sourceCurrency, minor: payment.sourceAmount },
    target: { currency: payment.currency, minor: payment.amount },
    fees: [],
  };
}

/** A payment as events carry it: all of the API's fields less reference, metadata and history. */
export function paymentEventView(payment: PaymentRow): Record<string, unknown> {
  const { currency } = payment;
  return {
    id: payment.id,
    kind: payment.kind,
    status: payment.status,
    statusDetail: payment.statusDetail,
    fundsStatus: payment.fundsStatus,
    finality: { state: payment.finality, finalAt: payment.finalAt?.toISOString() ?? null },
    cancelable:
      !isFinal(payment.status) &&
      !payment.hasOpenAttempt &&
      payment.status !== 'SENT' &&
      payment.status !== 'COMPLETED',
    endUserId: payment.endUserId,
    bankAccountId: payment.bankAccountId,
    rail: payment.rail,
    amount: formatAmount(payment.amount, currency),
    currency,
    source: {
      currency: payment.sourceCurrency,
      amount: formatAmount(payment.sourceAmount, payment.sourceCurrency),
    },
    rate: payment.rate,
    fees: [],
    externalId: payment.externalId,
    purpose: payment.purpose,
    failure: payment.failure,
    return: payment.returnInfo && {
      reason: payment.returnInfo.reason,
      amount: formatAmount(BigInt(payment.returnInfo.amount), currency),
      fee: formatAmount(BigInt(payment.returnInfo.fee), currency),
      at: payment.returnInfo.at,
    },
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
