import { placeLines, type EntryKind } from '../../domain/ledger/line-places.ts';
import type { LedgerLine, MovementKind } from '../../domain/ledger/movements.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';
import { rowSource } from '../client/row-source.ts';

const TRANSACTIONS = rowSource('ltx', {
  ...{ id: 'text', kind: 'text', paymentId: 'text', depositId: 'text', depositRound: 'integer' },
});
const REPAYMENT: EntryKind = 'REPAYMENT';
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
  /** The deposit and its round where one moves; `paymentId` is null then. */
  readonly deposit?: { readonly id: string; readonly round: number };
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
 *
 * What is credited repays what the customer owes us (receivable) first: two more lines behind those of
 * the last transaction that credits. Where something is owed nothing is available (the constraint
 * `debts_are_repaid_first`), so that what does not arrive in available is what was repaid.
 */
export const POST_LEDGER_CTES = `
  given AS (
    SELECT *, account IN ('available', 'reserved', 'pending', 'receivable') AS is_stored,
      max(line) OVER (PARTITION BY transaction_id) AS last_line
    FROM ${LINES.sql}
  ),
  movement AS (
    SELECT currency, coalesce(sum(amount) FILTER (WHERE account = 'available'), 0)::bigint AS available,
      coalesce(sum(amount) FILTER (WHERE account = 'reserved'), 0)::bigint AS reserved,
      coalesce(sum(amount) FILTER (WHERE account = 'pending'), 0)::bigint AS pending,
      coalesce(sum(amount) FILTER (WHERE account = 'receivable'), 0)::bigint AS receivable
    FROM given WHERE is_stored GROUP BY currency
  ),
  moved AS (
    UPDATE balances b SET reserved = b.reserved + m.reserved, pending = b.pending + m.pending,
      available = b.available + m.available - least(greatest(m.available, 0), -b.receivable),
      receivable = b.receivable + m.receivable + least(greatest(m.available, 0), -b.receivable)
    FROM movement m
    WHERE b.customer_id = :customerId AND b.environment = :environment AND b.currency = m.currency
      AND b.available + m.available >= 0
    RETURNING b.currency, b.available, b.reserved, b.pending, b.receivable,
      greatest(m.available - b.available, 0) AS repaid
  ),
  line AS (
    SELECT transaction_id, line, account, currency, amount, kind, turn, is_stored FROM given
    UNION ALL
    SELECT g.transaction_id, g.last_line + r.step, r.account, g.currency, r.sign * moved.repaid,
      '${REPAYMENT}', 1000000 + r.step, true
    FROM moved
    JOIN (SELECT DISTINCT ON (currency) transaction_id, last_line, currency FROM given
          WHERE account = 'available' AND amount > 0 ORDER BY currency, turn DESC) g
      ON g.currency = moved.currency AND moved.repaid > 0
    CROSS JOIN (VALUES (1, 'available', -1), (2, 'receivable', 1)) AS r (step, account, sign)
  ),
  covered AS (
    SELECT FROM moved HAVING count(*) = (SELECT count(*) FROM movement)
  ),
  ledger_header AS (
    INSERT INTO ledger_transactions
      (id, customer_id, environment, kind, payment_id, deposit_id, deposit_round, created_at)
    SELECT ltx.id, :customerId, :environment, ltx.kind, ltx.payment_id, ltx.deposit_id,
      ltx.deposit_round, :at
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
        CASE l.account WHEN 'available' THEN moved.available WHEN 'reserved' THEN moved.reserved
          WHEN 'pending' THEN moved.pending ELSE moved.receivable END
        - coalesce(sum(l.amount) OVER (PARTITION BY l.account, l.currency ORDER BY l.turn
            ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING), 0) END
    FROM ledger_header JOIN line l ON l.transaction_id = ledger_header.id
      LEFT JOIN moved ON moved.currency = l.currency
  )`;

/**
 * The values that `POST_LEDGER_CTES` names. No transactions move nothing, and are covered. Throws
 * RangeError for a transaction of more than 29 lines: two more may repay what is owed.
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
    ...TRANSACTIONS.values(
      transactions.map(({ deposit, ...transaction }) => ({
        ...transaction,
        depositId: deposit?.id ?? null,
        depositRound: deposit?.round ?? null,
      })),
    ),
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

/** Which of these ledger transactions the scope has. */
export async function findLedgerTransactions(
  tx: ScopedTransaction,
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM ledger_transactions
     WHERE customer_id = $1 AND environment = $2 AND id = ANY ($3)`,
    [scope.customerId, scope.environment, [...ids]],
  );
  return new Set(rows.map(({ id }) => id));
}
