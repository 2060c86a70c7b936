import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { figure, type Figure } from '../figure.ts';
import type { RunScope } from '../scope.ts';

/** A backend that has nothing to do tells what it did within ten seconds. */
const TOLD_WITHIN_MS = 10_500;

/** Tables that get rows with each payment, or with what it is about. */
const GROWING = [
  ...['payments', 'payment_history', 'settlement_attempts', 'transfer_reports', 'idempotency_keys'],
  ...['ledger_transactions', 'ledger_entries', 'events', 'webhook_deliveries', 'webhook_attempts'],
  ...['api_requests', 'audit_log', 'bank_accounts', 'end_users', 'kyc_checks', 'statement_lines'],
];

/** What a PostgreSQL server has done so far. */
export interface Work {
  readonly fetchedByIndex: number;
  /** Of the tables that grow. */
  readonly readBySequence: number;
  readonly functionCalls: number;
  readonly walBytes: number;
}

export interface DatabaseWork {
  /** Waits until all work is told, and answers what was done since the last call, for each payment. */
  take(payments: number): Promise<Work>;
  /** Where the work that was taken last comes from, for each payment: tab-separated lines. */
  listSources(): readonly string[];
}

/** Counters of a table or an index, and what a line calls them. */
const SOURCES = {
  tables: `SELECT relname AS name, idx_tup_fetch AS "rows by index", seq_tup_read AS "rows in sequence",
      n_tup_ins AS inserts, n_tup_upd AS updates, n_tup_hot_upd AS "updates without index entries"
    FROM pg_stat_user_tables`,
  indexes: `SELECT relname || '.' || indexrelname AS name, idx_scan AS scans, idx_tup_read AS entries,
      idx_tup_fetch AS rows
    FROM pg_stat_user_indexes`,
} as const;

type Counters = ReadonlyMap<string, Readonly<Record<string, number>>>;

async function readCounters(client: pg.Client, sql: string): Promise<Counters> {
  const { rows } = await client.query<Record<string, string>>(sql);
  return new Map(
    rows.map(({ name = '', ...counts }) => [
      name,
      Object.fromEntries(Object.entries(counts).map(([key, count]) => [key, Number(count)])),
    ]),
  );
}

/** What has changed in each; nothing of those in which nothing has. */
function listChanges(before: Counters, now: Counters, payments: number): string[] {
  return [...now].flatMap(([name, counts]) => {
    const changes = Object.entries(counts).flatMap(([key, count]) => {
      const each = (count - (before.get(name)?.[key] ?? 0)) / payments;
      return each === 0 ? [] : [`${key} ${String(Number(each.toPrecision(3)))}`];
    });
    return changes.length === 0 ? [] : [[name, ...changes].join('\t')];
  });
}

/**
 * Counts the work of a server that nobody else uses; before an engine connects. Rows that a statement reads without
 * their table, from an index alone, count for nothing.
 */
export async function openDatabaseWork(scope: RunScope, url: string): Promise<DatabaseWork> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  scope.defer(() => client.end());
  const name = new URL(url).pathname.slice(1);
  await client.query(`ALTER DATABASE "${name}" SET track_functions = 'all'`);
  // An image of each page that is touched first after a checkpoint says nothing of a payment.
  await client.query('ALTER SYSTEM SET full_page_writes = off');
  await client.query('SELECT pg_reload_conf()');
  const read = async (): Promise<Work> => {
    const { rows } = await client.query<Record<keyof Work, string>>(
      `SELECT (SELECT sum(idx_tup_fetch) FROM pg_stat_user_tables) AS "fetchedByIndex",
         (SELECT coalesce(sum(seq_tup_read), 0) FROM pg_stat_user_tables WHERE relname = ANY ($1))
           AS "readBySequence",
         (SELECT coalesce(sum(calls), 0) FROM pg_stat_user_functions) AS "functionCalls",
         (SELECT wal_bytes FROM pg_stat_wal) AS "walBytes"`,
      [GROWING],
    );
    const [row] = rows;
    if (row === undefined) throw new Error('PostgreSQL tells nothing of its work');
    return {
      fetchedByIndex: Number(row.fetchedByIndex),
      readBySequence: Number(row.readBySequence),
      functionCalls: Number(row.functionCalls),
      walBytes: Number(row.walBytes),
    };
  };
  let before: Work | null = null;
  let counters: Counters = new Map();
  let sources: readonly string[] = [];
  return {
    listSources: () => sources,
    async take(payments) {
      await pause(TOLD_WITHIN_MS);
      await client.query('SELECT pg_stat_clear_snapshot()');
      const now = await read();
      const since = before ?? now;
      before = now;
      const countersNow = new Map([
        ...(await readCounters(client, SOURCES.tables)),
        ...(await readCounters(client, SOURCES.indexes)),
      ]);
      sources = listChanges(counters, countersNow, payments);
      counters = countersNow;
      const each = (of: (one: Work) => number) => (of(now) - of(since)) / payments;
      return {
        fetchedByIndex: each((one) => one.fetchedByIndex),
        readBySequence: each((one) => one.readBySequence),
        functionCalls: each((one) => one.functionCalls),
        walBytes: each((one) => one.walBytes),
      };
    },
  };
}

/** The work for each payment as figures. */
export const databaseFigures = (key: string, label: string, work: Work): Figure[] => [
  figure.cost(`rows-by-index-${key}`, `rows read by index, ${label}`, work.fetchedByIndex),
  figure.cost(
    `rows-by-sequence-${key}`,
    `rows of growing tables read in sequence, ${label}`,
    work.readBySequence,
  ),
  figure.cost(`function-calls-${key}`, `calls of database functions, ${label}`, work.functionCalls),
  figure.cost(`wal-${key}`, `bytes of WAL, ${label}`, work.walBytes),
];
