import type { LedgerLine, MovementKind } from '../domain/ledger/movements.ts';
import type { Scope } from '../domain/scope.ts';
import type { ScopedTransaction } from './database.ts';

export interface NewLedgerTransaction {
  readonly id: string;
  readonly kind: MovementKind;
  readonly paymentId: string | null;
  /** In one or several currencies; they sum to zero in each. */
  readonly lines: readonly LedgerLine[];
}

/**
 * One statement: the customer's stored balances move, one row a currency, and the transaction with its
 * lines is written beside them. Nothing is written where a balance is missing or available would fall
 * below zero; balances that moved all the same are undone with the caller's transaction.
 */
const INSERT = `
  WITH moved AS (
    UPDATE balances b SET available = b.available + m.available, reserved = b.reserved + m.reserved
    FROM unnest(:currencies::text[], :toAvailable::bigint[], :toReserved::bigint[])
      AS m (currency, available, reserved)
    WHERE b.customer_id = :customerId AND b.environment = :environment AND b.currency = m.currency
      AND b.available + m.available >= 0
    RETURNING b.currency, b.available, b.reserved
  ),
  covered AS (
    SELECT FROM moved HAVING count(*) = cardinality(:currencies::text[])
  ),
  header AS (
    INSERT INTO ledger_transactions (id, customer_id, environment, kind, payment_id, created_at)
    SELECT :id, :customerId, :environment, :kind, :paymentId, :at FROM covered
  )
  INSERT INTO ledger_entries
    (transaction_id, line, customer_id, environment, account, currency, amount, balance_after)
  SELECT :id, l.line, :customerId, :environment, l.account, l.currency, l.amount,
    CASE l.account WHEN 'available' THEN moved.available WHEN 'reserved' THEN moved.reserved END
  FROM covered
  CROSS JOIN unnest(:accounts::text[], :lineCurrencies::text[], :amounts::bigint[])
    WITH ORDINALITY AS l (account, currency, amount, line)
  LEFT JOIN moved ON moved.currency = l.currency
  RETURNING line`;

/** Accounts of the customer: their balances are stored. Ours are sums of their entries. */
const OF_CUSTOMER: ReadonlySet<string> = new Set(['available', 'reserved']);

/**
 * Stores one ledger transaction and moves the customer's balances with it. Answers false where there is
 * no such balance or it does not cover what is taken from it: the caller must roll back.
 */
export async function insertLedgerTransaction(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  { id, kind, paymentId, lines }: NewLedgerTransaction,
  at: Date,
): Promise<boolean> {
  const ofCustomer = lines.filter(({ account }) => OF_CUSTOMER.has(account));
  const currencies = [...new Set(ofCustomer.map(({ currency }) => currency))];
  const sumsOf = (account: string) =>
    currencies.map((currency) =>
      lines
        .filter((line) => line.account === account && line.currency === currency)
        .reduce((sum, { minor }) => sum + minor, 0n),
    );
  const written = await tx.query(INSERT, {
    ...{ id, customerId, environment, kind, paymentId, at, currencies },
    toAvailable: sumsOf('available'),
    toReserved: sumsOf('reserved'),
    accounts: lines.map(({ account }) => account),
    lineCurrencies: lines.map(({ currency }) => currency),
    amounts: lines.map(({ minor }) => minor),
  });
  return written.length > 0;
}
