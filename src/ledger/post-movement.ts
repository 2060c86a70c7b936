import type { ScopedTransaction } from '../db/database.ts';
import { insertLedgerTransaction } from '../db/ledger-store.ts';
import { newId } from '../db/new-id.ts';
import {
  holdLines,
  movementLines,
  type PaymentMoney,
  type PaymentMovement,
} from '../domain/ledger/movements.ts';
import type { Scope } from '../domain/scope.ts';

/** Whose money moves, and what the payment is of. */
export interface MovingPayment {
  readonly paymentId: string;
  readonly money: PaymentMoney;
}

/**
 * Holds the money of a payment that is being accepted. Answers false where the customer's available
 * balance does not cover it: the caller then rolls its transaction back.
 */
export function postHold(
  tx: ScopedTransaction,
  scope: Scope,
  { paymentId, money }: MovingPayment,
  at: Date,
): Promise<boolean> {
  const transaction = {
    id: newId('ltx'),
    kind: 'HOLD',
    paymentId,
    lines: holdLines(money),
  } as const;
  return insertLedgerTransaction(tx, scope, transaction, at);
}

/**
 * Posts one movement of an accepted payment; a movement of nothing is no transaction. Answers false
 * where the balance does not cover it: the caller then rolls its transaction back. A second posting of
 * the same kind for a payment is refused by the database.
 */
export async function postMovement(
  tx: ScopedTransaction,
  scope: Scope,
  { paymentId, money, movement }: MovingPayment & { readonly movement: PaymentMovement },
  at: Date,
): Promise<boolean> {
  const lines = movementLines(money, movement);
  if (lines.length === 0) return true;
  const transaction = { id: newId('ltx'), kind: movement.kind, paymentId, lines };
  return insertLedgerTransaction(tx, scope, transaction, at);
}
