import type { ExceptionRow } from '../../../db/reconciliation/exception-act-store.ts';
import type { PaymentRow } from '../../../db/payments/payment-store.ts';
import { nostroOf } from '../../../domain/ledger/credit-movements.ts';
import type { OpenAt } from '../../../domain/ledger/exception-movements.ts';
import type { Money } from '../../../domain/ledger/movements.ts';
import { railOf } from '../../../domain/payments/payment-destination.ts';
import { statementMinor } from '../../../domain/reconciliation/statement-amount.ts';

/** What of an exception the ledger does not show as the bank does. */
export interface OpenMoney extends Money {
  readonly at: OpenAt;
  /**
   * The bank debited another currency than was paid: what the payment booked in its own, which did not leave. Null where it
   * did.
   */
  readonly unpaid: Money | null;
}

/**
 * What an act has to book; null where it is nothing. `payment`: the line's. `bothCame`: the operators say that the line is
 * another booking than the one that is in the books.
 */
export function openMoneyOf(
  row: ExceptionRow,
  payment: PaymentRow | null,
  bothCame = false,
): OpenMoney | null {
  const { amount, currency, direction, exception } = row;
  if (isBookedElsewhere(row) && !bothCame) return null;
  if (exception === 'MISSING_AT_BANK' && payment !== null) return neverPaid(payment);
  if (amount === null || currency === null || direction === null) return null;
  const read = statementMinor({ amount, currency });
  if (!read.ok) return null;
  const at: OpenAt =
    payment === null
      ? nostroOf(row.connector ?? '')
      : (`nostro:${railOf(payment.destination)}` as const);
  if (row.suspense !== null) return { currency, minor: row.suspense, at: 'suspense', unpaid: null };
  const signed = direction === 'CRDT' ? read.minor : -read.minor;
  // The first debit of a payment is what its settlement booked; the rest of it is not.
  const isBooked =
    exception === 'AMOUNT_MISMATCH' && direction === 'DBIT' && row.isSettled && payment !== null;
  if (!isBooked) return orNull({ currency, minor: signed, at, unpaid: null });
  const paid = { currency: payment.unit, minor: payment.amount };
  return paid.currency === currency
    ? orNull({ currency, minor: signed + paid.minor, at, unpaid: null })
    : { currency, minor: signed, at, unpaid: paid };
}

/** The ledger says that the payment left the bank, which shows no such thing. */
const neverPaid = ({ unit, amount, destination }: PaymentRow): OpenMoney => ({
  ...{ currency: unit, minor: amount, unpaid: null },
  at: `nostro:${railOf(destination)}`,
});

/** Whether the line shows a credit that waits in suspense for its end. */
export const isCreditInSuspense = ({
  creditId,
  paymentId,
  suspense,
}: Pick<ExceptionRow, 'creditId' | 'paymentId' | 'suspense'>): boolean =>
  creditId !== null && paymentId === null && suspense !== null;

/** Another line has the money of the booking in the books: a customer's credit is a return, or a return is a credit. */
export const isBookedElsewhere = ({
  exception,
  direction,
  creditId,
  paymentId,
}: Pick<ExceptionRow, 'exception' | 'direction' | 'creditId' | 'paymentId'>): boolean =>
  exception === 'DUPLICATE_AT_BANK' &&
  direction === 'CRDT' &&
  (creditId !== null || paymentId === null);

const orNull = (open: OpenMoney): OpenMoney | null => (open.minor === 0n ? null : open);
