import {
  findException,
  type ExceptionRow,
} from '../../../db/reconciliation/exception-act-store.ts';
import type { SystemTransaction } from '../../../db/client/database.ts';
import { findPayment, type PaymentRow } from '../../../db/payments/payment-store.ts';
import {
  actsFor,
  type ExceptionAct,
} from '../../../domain/reconciliation/exceptions/exception-act.ts';
import { openMoneyOf, type OpenMoney } from './judge-exception.ts';

/** An exception as operators see it before they propose an act. */
export interface ShownException extends ExceptionRow {
  /** Null where it names none. */
  readonly payment: PaymentRow | null;
  /** What an act has to book; null where it is nothing. */
  readonly open: OpenMoney | null;
  /** The acts that may end it; none where it is ended, or is decided in another place. */
  readonly acts: readonly ExceptionAct[];
}

/** An exception by its id; null where there is none. Locks nothing. */
export async function findShownException(
  tx: SystemTransaction,
  id: string,
): Promise<ShownException | null> {
  const row = await findException(tx, id);
  return row && showException(tx, row);
}

async function showException(tx: SystemTransaction, row: ExceptionRow): Promise<ShownException> {
  const { paymentId, customerId, environment, endedBy, exception } = row;
  const payment =
    paymentId === null || customerId === null
      ? null
      : await findPayment(tx, { customerId, environment }, paymentId);
  const open = openMoneyOf(row, payment);
  const isActedOn = endedBy === null && exception !== 'LATE_RETURN';
  const acts = isActedOn ? actsFor({ exception, open: open?.minor ?? 0n }) : [];
  return { ...row, payment, open, acts };
}
