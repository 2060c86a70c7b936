import type { Scope } from '../domain/scope.ts';
import type { Posting, PostingKind } from '../domain/ledger/postings.ts';
import type { ScopedTransaction } from './database.ts';

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
    UPDATE balances SET available = available + :toAvailable, reserved = reserved + :toReserved
    WHERE customer_id = :customerId AND environment = :environment AND currency = :currency
      AND available + :toAvailable >= 0
    RETURNING available, reserved
  ),
  header AS (
    INSERT INTO ledger_transactions (id, customer_id, environment, kind, payment_id, created_at)
    SELECT :id, :customerId, :environment, :kind, :paymentId, :at FROM moved
  ),
  lines AS (
    INSERT INTO ledger_entries
      (transaction_id, line, customer_id, environment, account, currency, amount, balance_after)
    SELECT :id, l.line, :customerId, :environment, l.account, :currency, l.amount,
      CASE l.account WHEN 'available' THEN moved.available WHEN 'reserved' THEN moved.reserved END
    FROM moved, unnest(:accounts::text[], :amounts::bigint[])
      WITH ORDINALITY AS l (account, amount, line)
  )
  SELECT available FROM moved`;

/**
 * Stores one ledger transaction and moves the customer's balance with it. Answers false, having
 * written nothing, where there is no such balance or it does not cover what is taken from it.
 */
export async function insertLedgerTransaction(
  tx: ScopedTransaction,
  scope: Scope,
  transaction: NewLedgerTransaction,
  at: Date,
): Promise<boolean> {
  const { lines } = transaction;
  const sumOf = (account: string) =>
    lines.reduce((sum, line) => (line.account === account ? sum + line.amount : sum), 0n);
  const moved = await tx.query(INSERT, {
    id: transaction.id,
    customerId: scope.customerId,
    environment: scope.environment,
    kind: transaction.kind,
    currency: transaction.currency,
    toAvailable: sumOf('available'),
    toReserved: sumOf('reserved'),
    paymentId: transaction.paymentId,
    accounts: lines.map((line) => line.account),
    amounts: lines.map((line) => line.amount),
    at,
  });
  return moved.length > 0;
}
