import type { CustomerAccount } from '../../domain/ledger/balance-transaction.ts';
import type { EntryPlace } from '../../domain/ledger/balance-transaction-id.ts';
import type { EntryKind } from '../../domain/ledger/line-places.ts';
import type { PaymentKind } from '../../domain/payments/payment-kind.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';
import { rowSource } from '../client/row-source.ts';

/** A line of the ledger on an account of the customer; amounts in minor units. */
export interface BalanceTransactionRow extends EntryPlace {
  /** Where it stands in a list: grows in each currency with every line. */
  readonly seq: bigint;
  readonly kind: EntryKind;
  readonly account: CustomerAccount;
  readonly currency: string;
  readonly amount: bigint;
  /** What was on the account behind it. */
  readonly balanceAfter: bigint;
  readonly paymentId: string | null;
  /** Set exactly where `paymentId` is. */
  readonly paymentKind: PaymentKind | null;
  readonly externalId: string | null;
  readonly createdAt: Date;
}

/** A list's position of a line: its transaction's number, and five bits for the line. */
export const POSITION_LINES = 32n;

/** For a FROM that has lines as `e`. */
export const BALANCE_TRANSACTION_SELECT = `
  SELECT e.transaction_id AS "transactionId", e.line, e.seq * ${String(POSITION_LINES)} + e.line AS seq,
    e.kind, e.account, e.currency, e.amount, e.balance_after AS "balanceAfter",
    t.payment_id AS "paymentId", p.kind AS "paymentKind", p.external_id AS "externalId", t.created_at AS "createdAt"`;

/** What belongs to the lines `e` beside them: looked up line by line, whatever the planner expects. */
export const BALANCE_TRANSACTION_JOINS = `
  CROSS JOIN LATERAL (
    SELECT payment_id, created_at FROM ledger_transactions
    WHERE id = e.transaction_id AND customer_id = :customerId AND environment = :environment
    LIMIT 1) AS t
  LEFT JOIN LATERAL (
    SELECT kind, external_id FROM payments
    WHERE id = t.payment_id AND customer_id = :customerId AND environment = :environment
    LIMIT 1) AS p ON true`;

const PLACES = rowSource('place', { transactionId: 'text', line: 'integer' });

/** The line at the one of these places that there is, if it is the customer's and of one of the kinds. */
export async function findBalanceTransaction(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  places: readonly EntryPlace[],
  shown: { readonly kinds: readonly EntryKind[]; readonly accounts: readonly CustomerAccount[] },
): Promise<BalanceTransactionRow | null> {
  if (places.length === 0) return null;
  const rows = await tx.query<BalanceTransactionRow>(
    `${BALANCE_TRANSACTION_SELECT}
     FROM ${PLACES.sql} JOIN ledger_entries e
       ON e.transaction_id = place.transaction_id AND e.line = place.line
     ${BALANCE_TRANSACTION_JOINS}
     WHERE e.customer_id = :customerId AND e.environment = :environment
       AND e.kind = ANY (:kinds) AND e.account = ANY (:accounts)`,
    { customerId, environment, ...PLACES.values(places), ...shown },
  );
  return rows[0] ?? null;
}
