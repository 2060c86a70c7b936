import pg from 'pg';
import {
  listBalanceTransactions,
  type BalanceTransactionFilter,
} from '../../src/db/ledger/balance-transaction-list-store.ts';
import { newId } from '../../src/db/client/new-id.ts';
import { CUSTOMER_ACCOUNTS, kindsOf } from '../../src/domain/ledger/balance-transaction.ts';
import type { Scope } from '../../src/domain/scope.ts';
import { createTestDatabase } from './database.ts';
import { addCustomer } from './test-customer.ts';

export const PAGE_LIMIT = 20;
const FROM = '2026-01-01T00:00:00Z';

/** Fills a ledger: holds in EUR, one a minute; every thousandth settles with a fee; one early deposit in JPY. */
async function fill(url: string, { customerId, environment }: Scope, count: number): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    await admin.query('SET session_replication_role = replica');
    await admin.query(
      `INSERT INTO balances (customer_id, environment, currency)
       SELECT $1, $2, unnest('{EUR,JPY,USD}'::text[])`,
      [customerId, environment],
    );
    await admin.query(
      `WITH made AS (
         INSERT INTO ledger_transactions (id, customer_id, environment, kind, created_at)
         SELECT 'ltx_' || lpad(n::text, 26, '0'), $1, $2,
           CASE WHEN n = 1 THEN 'FUND' WHEN n % 1000 = 0 THEN 'SETTLE' ELSE 'HOLD' END,
           $3::timestamptz + n * interval '1 minute'
         FROM generate_series(1, $4::int) n ORDER BY n RETURNING id, seq, kind)
       INSERT INTO ledger_entries (transaction_id, line, customer_id, environment, account,
         currency, amount, balance_after, kind, seq)
       SELECT id, line, $1, $2, account, CASE kind WHEN 'FUND' THEN 'JPY' ELSE 'EUR' END, 1, 1,
         coalesce(own, kind), seq
       FROM made JOIN (VALUES
         ('FUND', 1, 'nostro:SEPA', NULL), ('FUND', 2, 'available', NULL),
         ('HOLD', 1, 'available', NULL), ('HOLD', 2, 'reserved', NULL),
         ('SETTLE', 1, 'reserved', NULL), ('SETTLE', 2, 'nostro:SEPA', NULL),
         ('SETTLE', 3, 'reserved', 'FEE'), ('SETTLE', 4, 'fees', 'FEE')
       ) AS lines (of_kind, line, account, own) ON of_kind = kind ORDER BY seq, line`,
      [customerId, environment, FROM, count],
    );
    await admin.query('ANALYZE');
  } finally {
    await admin.end();
  }
}

export const minute = (number: number) => new Date(Date.parse(FROM) + number * 60_000);

/** A customer with a ledger of `count` transactions. */
export async function createBalanceListHarness(count: number) {
  const database = await createTestDatabase();
  const { db } = database;
  const scope: Scope = {
    customerId: await db.system((tx) => addCustomer(tx)),
    environment: 'test',
  };
  await fill(database.url, scope, count);
  return {
    database,
    scope,
    filters: filtersOf(count),

    /** Lists as the API does, and counts the rows that were read, and the walks through a whole table. */
    list: (filter: BalanceTransactionFilter, plan: 'custom' | 'generic', before: bigint | null) =>
      db.read(scope, async (tx) => {
        const count = async () => {
          const [row] = await tx.query<{ read: bigint; scans: bigint }>(
            `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint AS read,
               sum(seq_scan)::bigint AS scans
             FROM pg_stat_xact_user_tables
             WHERE relname IN ('ledger_entries', 'ledger_transactions')`,
          );
          return { read: Number(row?.read ?? 0n), scans: Number(row?.scans ?? 0n) };
        };
        await tx.query(`SET LOCAL plan_cache_mode = force_${plan}_plan`);
        const from = await count();
        const page = { limit: PAGE_LIMIT, before };
        const { items } = await listBalanceTransactions(tx, scope, filter, page);
        const until = await count();
        return { items, read: until.read - from.read, scans: until.scans - from.scans };
      }),
  };
}

function filtersOf(count: number): BalanceTransactionFilter[] {
  const all = { accounts: CUSTOMER_ACCOUNTS, kinds: kindsOf(), isNarrowed: false };
  const narrowed: BalanceTransactionFilter[] = [
    all,
    { ...all, isNarrowed: true, accounts: ['reserved'] },
    { ...all, isNarrowed: true, accounts: ['pending'] },
    { ...all, isNarrowed: true, kinds: kindsOf('DEPOSIT') },
    { ...all, isNarrowed: true, kinds: kindsOf('FEE') },
    { ...all, isNarrowed: true, kinds: kindsOf('PAYMENT_RETURN') },
  ];
  const middle = { createdAfter: minute(count / 2), createdBefore: minute(count / 2 + 7) };
  const times = [{}, middle, { createdBefore: minute(5) }, { createdAfter: minute(count - 5) }];
  return narrowed
    .flatMap((one) => [one, ...['EUR', 'JPY', 'USD'].map((currency) => ({ ...one, currency }))])
    .flatMap((one) => [
      ...times.map((time) => ({ ...one, ...time })),
      { ...one, paymentId: newId('pay') },
    ]);
}
