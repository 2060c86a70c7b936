import type { Scope } from '../domain/scope.ts';
import type { Posting, PostingKind } from '../domain/ledger/postings.ts';
import type { Transaction } from './database.ts';

export interface NewLedgerTransaction {
  readonly id: string;
  readonly kind: PostingKind;
  readonly paymentId: string | null;
  readonly currency: string;
  /** Minor units, signed; they sum to zero. */
  readonly lines: readonly Posting[];
}

/**
 * One statement: the customer's stored balance moves, and the transaction with its lines is written
 * beside it. `moved` is empty, and nothing is written, where available would fall below zero.
 */
const INSERT = `
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
 * Stores one ledger transaction and moves the customer's balance with it. Answers false, having
 * written nothing, where there is no such balance or it does not cover what is taken from it.
 */
export async function insertLedgerTransaction(
  tx: Transaction,
  scope: Scope,
  transaction: NewLedgerTransaction,
  at: Date,
): Promise<boolean> {
  const { lines } = transaction;
  const sumOf = (account: string) =>
    lines.reduce((sum, line) => (line.account === account ? sum + line.amount : sum), 0n);
  const moved = await tx.query(INSERT, [
    transaction.id,
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
