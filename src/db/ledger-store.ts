import { placeLines } from '../domain/ledger/line-places.ts';
import type { LedgerLine, MovementKind } from '../domain/ledger/movements.ts';
import type { Scope } from '../domain/scope.ts';
import type { ScopedTransaction } from './database.ts';
import { rowSource } from './row-source.ts';

const TRANSACTIONS = rowSource('ltx', { id: 'text', kind: 'text', paymentId: 'text' });
const LINES = rowSource('line', {
  transactionId: 'text',
  line: 'integer',
  account: 'text',
  currency: 'text',
  amount: 'bigint',
  kind: 'text',
});

export interface NewLedgerTransaction {
  readonly id: string;
  readonly kind: MovementKind;
  readonly paymentId: string | null;
  /** In one or several currencies; they sum to zero in each. */
  readonly lines: readonly LedgerLine[];
}

/**
 * The customer's stored balances move, one row a currency, and transactions with their lines are written
 * beside them. `covered` is empty and nothing is written where a balance is missing or available would
 * fall below zero; balances that moved all the same are undone with the caller's transaction. A line's
 * `balance_after` is the account's balance behind it, line by line. The transactions' numbers are drawn
 * behind the balances' locks: in a currency they are in the order of the commits, and statements rely on
 * that. For `ledgerValues`.
 */
export const POST_LEDGER_CTES = `
  line AS (SELECT *, account IN ('available', 'reserved') AS is_stored FROM ${LINES.sql}),
  movement AS (
    SELECT currency, coalesce(sum(amount) FILTER (WHERE account = 'available'), 0)::bigint AS available,
      coalesce(sum(amount) FILTER (WHERE account = 'reserved'), 0)::bigint AS reserved
    FROM line WHERE is_stored GROUP BY currency
  ),
  moved AS (
    UPDATE balances b SET available = b.available + m.available, reserved = b.reserved + m.reserved
    FROM movement m
    WHERE b.customer_id = :customerId AND b.environment = :environment AND b.currency = m.currency
      AND b.available + m.available >= 0
    RETURNING b.currency, b.available, b.reserved
  ),
  covered AS (
    SELECT FROM moved HAVING count(*) = (SELECT count(*) FROM movement)
  ),
  ledger_header AS (
    INSERT INTO ledger_transactions (id, customer_id, environment, kind, payment_id, created_at)
    SELECT ltx.id, :customerId, :environment, ltx.kind, ltx.payment_id, :at
    FROM covered CROSS JOIN ${TRANSACTIONS.sql} ORDER BY ltx.turn
    RETURNING id, seq
  ),
  ledger_lines AS (
    INSERT INTO ledger_entries
      (transaction_id, line, customer_id, environment, account, currency, amount, kind, seq,
        balance_after)
    SELECT l.transaction_id, l.line, :customerId, :environment, l.account, l.currency, l.amount,
      l.kind, ledger_header.seq,
      CASE WHEN l.is_stored THEN
        CASE l.account WHEN 'available' THEN moved.available ELSE moved.reserved END
        - coalesce(sum(l.amount) OVER (PARTITION BY l.account, l.currency ORDER BY l.turn
            ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING), 0) END
    FROM ledger_header JOIN line l ON l.transaction_id = ledger_header.id
      LEFT JOIN moved ON moved.currency = l.currency
  )`;

/**
 * The values that `POST_LEDGER_CTES` names. No transactions move nothing, and are covered. Throws
 * RangeError for a transaction of more than 31 lines.
 */
export function ledgerValues(
  { customerId, environment }: Scope,
  transactions: readonly NewLedgerTransaction[],
  at: Date,
) {
  const lines = transactions.flatMap(({ id, kind, lines: ofOne }) =>
    placeLines(kind, ofOne).map(({ account, currency, minor, ...place }) => ({
      ...{ transactionId: id, account, currency, amount: minor, ...place },
    })),
  );
  return {
    customerId,
    environment,
    at,
    ...TRANSACTIONS.values(transactions),
    ...LINES.values(lines),
  };
}

/**
 * Stores ledger transactions and moves the customer's balances with them. Answers false where there is
 * no such balance or it does not cover what is taken from it: the caller must roll back.
 */
export async function insertLedgerTransactions(
  tx: ScopedTransaction,
  scope: Scope,
  transactions: readonly NewLedgerTransaction[],
  at: Date,
): Promise<boolean> {
  const covered = await tx.query(
    `WITH ${POST_LEDGER_CTES} SELECT 1 AS one FROM covered`,
    ledgerValues(scope, transactions, at),
  );
  return covered.length > 0;
}
