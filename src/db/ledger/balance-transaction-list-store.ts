import type { CustomerAccount } from '../../domain/ledger/balance-transaction.ts';
import type { EntryKind } from '../../domain/ledger/line-places.ts';
import { toPage, type Page, type PageRequest } from '../../domain/lists.ts';
import type { Scope } from '../../domain/scope.ts';
import {
  BALANCE_TRANSACTION_JOINS,
  BALANCE_TRANSACTION_SELECT,
  POSITION_LINES,
  type BalanceTransactionRow,
} from './balance-transaction-store.ts';
import type { ScopedTransaction } from '../client/database.ts';
import { timeBounds } from '../client/time-bounds.ts';

export interface BalanceTransactionFilter {
  readonly accounts: readonly CustomerAccount[];
  readonly kinds: readonly EntryKind[];
  /** Whether `accounts` or `kinds` leave anything out. */
  readonly isNarrowed: boolean;
  readonly currency?: string;
  readonly paymentId?: string;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
}

const IN_SCOPE = 'e.customer_id = :customerId AND e.environment = :environment';
/** As the partial index says it. */
const IS_OF_CUSTOMER = "e.account IN ('available', 'reserved', 'pending', 'receivable')";
const NEWEST = 'ORDER BY e.seq DESC, e.line DESC LIMIT :rows';
/** Line by line along the walk: a join of another kind would read the whole table first. */
const TRANSACTION = `CROSS JOIN LATERAL (
    SELECT created_at FROM ledger_transactions
    WHERE id = e.transaction_id AND customer_id = :customerId AND environment = :environment
    LIMIT 1) AS own`;

const TIME_BOUNDS = timeBounds('ledger_transactions');
const CONDITIONS = {
  createdAfter: 'own.created_at > :createdAfter AND e.seq > (SELECT first FROM bounds)',
  createdBefore: 'own.created_at < :createdBefore AND e.seq < (SELECT last FROM bounds)',
  before: '(e.seq, e.line) < (:beforeSeq, :beforeLine)',
} as const;

/**
 * Lines on the customer's accounts, newest first, that satisfy every filter. Whatever they are, a page
 * costs about the same: lines of a payment are few; without a filter they are one walk along an index;
 * else each currency, account and kind is a walk of its own, and there are not many of those.
 */
export async function listBalanceTransactions(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  filter: BalanceTransactionFilter,
  page: PageRequest,
): Promise<Page<BalanceTransactionRow>> {
  const given = Object.fromEntries(
    (['createdAfter', 'createdBefore'] as const).flatMap((name) =>
      filter[name] === undefined ? [] : [[name, filter[name]]],
    ),
  );
  const names = [...Object.keys(given), ...(page.before === null ? [] : ['before'])];
  const conditions = names.map((name) => ` AND ${CONDITIONS[name as keyof typeof CONDITIONS]}`);
  const bounds = Object.entries(TIME_BOUNDS).flatMap(([name, bound]) =>
    name in given ? [bound] : [],
  );
  const rows = await tx.query<BalanceTransactionRow>(
    `WITH ${bounds.length > 0 ? `bounds AS MATERIALIZED (SELECT ${bounds.join(', ')}),` : ''}
       found AS MATERIALIZED (${walk(filter, conditions.join(''), bounds.length > 0)})
     ${BALANCE_TRANSACTION_SELECT} FROM (SELECT * FROM found e ${NEWEST}) AS e ${BALANCE_TRANSACTION_JOINS} ${NEWEST}`,
    {
      ...{ customerId, environment, kinds: filter.kinds, accounts: filter.accounts, ...given },
      ...(page.before !== null && positionOf(page.before)),
      ...(filter.currency !== undefined && { currency: filter.currency }),
      ...(filter.paymentId !== undefined && { paymentId: filter.paymentId }),
      rows: page.limit + 1,
    },
  );
  return toPage(rows, page.limit);
}

const positionOf = (position: bigint) => ({
  beforeSeq: position / POSITION_LINES,
  beforeLine: Number(position % POSITION_LINES),
});

function walk(
  { paymentId, currency, isNarrowed }: BalanceTransactionFilter,
  more: string,
  isBounded: boolean,
): string {
  const transaction = isBounded ? TRANSACTION : '';
  const isShown = 'e.kind = ANY (:kinds) AND e.account = ANY (:accounts)';
  if (paymentId !== undefined) {
    return `SELECT e.* FROM ledger_transactions own JOIN ledger_entries e ON e.transaction_id = own.id
      WHERE own.payment_id = :paymentId AND own.customer_id = :customerId
        AND own.environment = :environment AND ${IN_SCOPE} AND ${isShown}
        ${currency === undefined ? '' : 'AND e.currency = :currency'} ${more} ${NEWEST}`;
  }
  if (currency === undefined && !isNarrowed) {
    return `SELECT e.* FROM ledger_entries e ${transaction}
      WHERE ${IN_SCOPE} AND ${IS_OF_CUSTOMER} AND ${isShown} ${more} ${NEWEST}`;
  }
  const currencies =
    currency === undefined
      ? `(SELECT currency FROM balances
          WHERE customer_id = :customerId AND environment = :environment)`
      : '(SELECT :currency::text AS currency)';
  return `SELECT walked.* FROM ${currencies} AS held CROSS JOIN unnest(:accounts::text[]) AS of_account
      CROSS JOIN unnest(:kinds::text[]) AS of_kind
      CROSS JOIN LATERAL (
        SELECT e.* FROM ledger_entries e ${transaction}
        WHERE ${IN_SCOPE} AND e.currency = held.currency AND e.account = of_account
          AND e.kind = of_kind ${more} ${NEWEST}) AS walked`;
}
