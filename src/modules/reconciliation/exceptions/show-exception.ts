import type { ExceptionRow } from '../../../db/reconciliation/exception-act-store.ts';
import type { SystemTransaction } from '../../../db/client/database.ts';
import { findPayment, type PaymentRow } from '../../../db/payments/payment-store.ts';
import {
  actsFor,
  type ExceptionAct,
} from '../../../domain/reconciliation/exceptions/exception-act.ts';
import { findBookedElsewhere } from '../../../db/reconciliation/booked-return-store.ts';
import {
  isBookedElsewhere,
  isCreditInSuspense,
  openMoneyOf,
  type OpenMoney,
} from './judge-exception.ts';

/** An exception with its payment, and the acts that may end it. */
export interface OpenException extends ExceptionRow {
  /** Null where it names none. */
  readonly payment: PaymentRow | null;
  /** What an act has to book; null where it is nothing. */
  readonly open: OpenMoney | null;
  /** The acts that may end it; none where it is ended. */
  readonly acts: readonly ExceptionAct[];
  /** In a sentence, what has its booking in the books already; null where nothing has. */
  readonly bookedElsewhere: string | null;
}

/** What operators see of an exception that was read in the same transaction. */
export async function showException(
  tx: SystemTransaction,
  row: ExceptionRow,
): Promise<OpenException> {
  const { paymentId, customerId, environment, endedBy, exception } = row;
  const payment =
    paymentId === null || customerId === null
      ? null
      : await findPayment(tx, { customerId, environment }, paymentId);
  const open = openMoneyOf(row, payment);
  const about = {
    ...{ isOfPayment: paymentId !== null, isCredit: isCreditInSuspense(row) },
    isInSuspense: row.suspense !== null,
  };
  const acts = endedBy === null ? actsFor({ exception, open: open?.minor ?? 0n, ...about }) : [];
  const bookedElsewhere = isBookedElsewhere(row) ? await findBookedElsewhere(tx, row.id) : null;
  return { ...row, payment, open, acts, bookedElsewhere };
}
