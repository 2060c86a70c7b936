import type { NewLedgerTransaction } from '../../db/ledger/ledger-store.ts';
import { newId } from '../../db/client/new-id.ts';
import {
  holdLines,
  movementLines,
  type PaymentMoney,
  type PaymentMovement,
} from '../../domain/ledger/movements.ts';

/** Whose money moves, and what the payment is of. */
interface MovingPayment {
  readonly paymentId: string;
  readonly money: PaymentMoney;
}

/** Holds the money of a payment that is being accepted. */
export const holdTransaction = ({ paymentId, money }: MovingPayment): NewLedgerTransaction => ({
  id: newId('ltx'),
  kind: 'HOLD',
  paymentId,
  lines: holdLines(money),
});

/**
 * The transaction of one movement of an accepted payment; none for a movement of nothing. A second one of
 * the same kind for a payment is refused by the database.
 */
export function movementTransactions(
  { paymentId, money }: MovingPayment,
  movement: PaymentMovement,
): readonly NewLedgerTransaction[] {
  const lines = movementLines(money, movement);
  return lines.length === 0 ? [] : [{ id: newId('ltx'), kind: movement.kind, paymentId, lines }];
}
