import type { Transaction } from '../db/database.ts';
import { newId } from '../db/new-id.ts';
import { postingsFor, type PostingKind } from '../domain/ledger/postings.ts';
import type { Scope } from '../domain/scope.ts';

export interface LedgerTransaction {
  readonly kind: PostingKind;
  readonly paymentId: string | null;
  readonly currency: string;
  /** Minor units, positive. */
  readonly amount: bigint;
  readonly rail: string;
}

/**
 * One statement: the customer's stored balance moves, and the transaction with its lines is written
 * beside it. `moved` is empty, and nothing is written, where available would fall below zero.
 */
const POST = `
  WITH moved AS (
    UPDATE balances SET available = available + $6, reserved = reserved + $7
    WHERE customer_id = $2 AND environment = $3 AND currency = $5 AND available + $6 >= 0
    RETURNING available, reserved
  ),
  header AS (
    INSERT INTO ledger_transactions (id, customer_id, environment, kind, payment_id, created_at)
    SELECT $1, $2, $3, $4, $8, $11 FROM moved
  ),
  lines AS (
    INSERT INTO ledger_entries
      (transaction_id, line, customer_id, environment, account, currency, amount, balance_after)
    SELECT $1, l.line, $2, $3, l.account, $5, l.amount,
      CASE l.account WHEN 'available' THEN moved.available WHEN 'reserved' THEN moved.reserved END
    FROM moved, unnest($9::text[], $10::bigint[]) WITH ORDINALITY AS l (account, amount, line)
  )
  SELECT available FROM moved`;

/**
 * Posts one transaction of a payment or a funding. Answers false, having written nothing, where the
 * customer's available balance does not cover it. A second posting of the same kind for a payment is
 * refused by the database.
 */
export async function postTransaction(
  tx: Transaction,
  scope: Scope,
  transaction: LedgerTransaction,
  at: Date,
): Promise<boolean> {
  const lines = postingsFor(transaction.kind, transaction.amount, transaction.rail);
  const sumOf = (account: string) =>
    lines.reduce((sum, line) => (line.account === account ? sum + line.amount : sum), 0n);
  const moved = await tx.query(POST, [
    newId('ltx'),
    scope.customerId,
    scope.environment,
    transaction.kind,
    transaction.currency,
    sumOf('available'),
    sumOf('reserved'),
    transaction.paymentId,
    lines.map((line) => line.account),
    lines.map((line) => line.amount),
    at,
  ]);
  return moved.length > 0;
}
