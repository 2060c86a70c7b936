import { destinationIds, railOf } from '../../domain/payments/payment-destination.ts';
import { stringify } from 'csv-stringify/sync';
import type { PaymentRow } from '../../db/payments/payment-store.ts';
import { totalOf } from '../../domain/ledger/movements.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import { paymentMoney } from './payment-view.ts';

const COLUMNS = [
  ...(['id', 'createdAt', 'status', 'statusDetail', 'amount', 'currency', 'sourceAmount'] as const),
  ...(['sourceCurrency', 'rail', 'endUserId', 'bankAccountId', 'externalId'] as const),
  ...(['idempotencyKey', 'purpose', 'scheduledFor', 'fundsStatus', 'finality'] as const),
  ...(['failureCode', 'returnReason', 'reconciliation', 'updatedAt', 'walletId'] as const),
  ...(['depositNetwork', 'depositAddress', 'depositDue', 'depositReceived'] as const),
];

/**
 * RFC 4180. Customers and theirs choose some of the texts: one that a spreadsheet would take for a formula gets
 * an apostrophe in front.
 */
const line = (cells: readonly string[]): string =>
  stringify([[...cells]], { record_delimiter: 'windows', escape_formulas: true });

/**
 * Payments as CSV, line by line, with nothing personal: the heads, then a line each. The columns of currencies
 * hold an asset's code where that is what was paid.
 */
export async function* writePaymentsCsv(
  payments: AsyncIterable<PaymentRow>,
): AsyncGenerator<string, void, undefined> {
  yield line(COLUMNS);
  for await (const payment of payments) {
    const cells = cellsOf(payment);
    yield line(COLUMNS.map((name) => cells[name]));
  }
}

function cellsOf(payment: PaymentRow): Readonly<Record<(typeof COLUMNS)[number], string>> {
  const { amount, unit: currency, sourceUnit: sourceCurrency, destination } = payment;
  const { bankAccountId, walletId } = destinationIds(destination);
  return {
    id: payment.id,
    createdAt: payment.createdAt.toISOString(),
    status: payment.status,
    statusDetail: payment.statusDetail,
    amount: formatAmount(amount, currency),
    currency,
    // With the fees: what the balance was charged.
    sourceAmount: formatAmount(totalOf(paymentMoney(payment)).minor, sourceCurrency),
    sourceCurrency,
    rail: railOf(destination),
    endUserId: payment.endUserId,
    bankAccountId: bankAccountId ?? '',
    externalId: payment.externalId ?? '',
    idempotencyKey: payment.idempotencyKey,
    purpose: payment.purpose ?? '',
    scheduledFor: payment.scheduledFor ?? '',
    fundsStatus: payment.fundsStatus,
    finality: payment.finality,
    failureCode: payment.failure?.code ?? '',
    returnReason: payment.returnInfo?.reason ?? '',
    reconciliation: payment.reconciliationStatus,
    updatedAt: payment.updatedAt.toISOString(),
    walletId: walletId ?? '',
    ...depositCells(payment),
  };
}

/** Of the deposit that pays for it, in its asset; empty where its balance pays. */
function depositCells({ funding }: Pick<PaymentRow, 'funding'>) {
  const amount = (minor: string | undefined): string =>
    funding === null || minor === undefined ? '' : formatAmount(BigInt(minor), funding.asset);
  return {
    depositNetwork: funding?.network ?? '',
    depositAddress: funding?.address ?? '',
    depositDue: amount(funding?.amountDue),
    depositReceived: amount(funding?.amountReceived),
  };
}
