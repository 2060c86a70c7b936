import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import { migrate } from '../../../src/db/schema/migrate.ts';
import { until } from '../../support/until.ts';

const OURS = 'src/db/schema/migrations';
/** How long the migration waits, and how long a writer does. */
const [LOCK_MS, WRITER_MS] = [800, 4_500];

interface Migration {
  readonly name: string;
  /** Tables that it locks early. */
  readonly written: readonly string[];
  /** Others that it changes, in which it would wait for longer than a writer waits. */
  readonly used: readonly string[];
  /** What it has made. */
  readonly made: string;
  readonly count: number;
}

const MIGRATIONS: readonly Migration[] = [
  {
    ...{ name: '0063_resealing', written: ['access_requests'] },
    used: [
      ...['bank_accounts', 'end_users', 'kyc_checks', 'mails', 'operators', 'payments', 'users'],
      ...['wallets', 'webhook_endpoints'],
    ],
    ...{ made: `SELECT FROM pg_policies WHERE policyname = 'resealer_seals'`, count: 20 },
  },
  {
    ...{ name: '0066_peppers', written: ['access_counters', 'sessions'] },
    used: [
      ...['address_changes', 'api_keys', 'devices', 'idempotency_keys', 'invitations'],
      ...['kyc_checks', 'kyc_documents', 'mails', 'screening_cases'],
    ],
    ...{ made: `SELECT FROM pg_trigger WHERE tgname = 'guard_raised'`, count: 13 },
  },
];

let dir: string;
let url: string;
let clients: pg.Client[];

async function connect(to = url): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: to });
  await client.connect();
  clients.push(client);
  return client;
}

beforeEach(async () => {
  clients = [];
  dir = mkdtempSync(join(tmpdir(), 'migrations-'));
  const name = newId('test');
  const server = await connect(inject('postgresUrl'));
  await server.query(`CREATE DATABASE ${name}`);
  const address = new URL(inject('postgresUrl'));
  address.pathname = `/${name}`;
  url = address.href;
});
afterEach(async () => {
  const database = new URL(url).pathname.slice(1);
  await Promise.all(clients.map((client) => client.end()));
  const server = await connect(inject('postgresUrl'));
  await server.query(`DROP DATABASE ${database} WITH (FORCE)`);
  await server.end();
  rmSync(dir, { recursive: true });
});

/** Brings the database to the schema before a migration, which is the next one then. */
async function migrateTo(name: string): Promise<void> {
  for (const file of readdirSync(OURS).filter((one) => one < name)) {
    cpSync(join(OURS, file), join(dir, file));
  }
  await migrate(url, () => undefined, { dir });
  cpSync(join(OURS, `${name}.sql`), join(dir, `${name}.sql`));
}

it.each(MIGRATIONS.map((one) => [one.name, one] as const))(
  '%s keeps no writer waiting while it waits for one table after another',
  async (name, { written, used, made, count }) => {
    await migrateTo(name);
    // Of each a transaction uses a table that the migration changes, and ends shortly before the migration would give up.
    const users = new Map<string, pg.Client>();
    for (const table of used) {
      const client = await connect();
      await client.query(`BEGIN; SELECT FROM ${table}`);
      users.set(table, client);
    }
    const watcher = await connect();
    const waitedFor = async () => {
      const { rows } = await watcher.query<{ name: string }>(
        `SELECT relation::regclass::text AS name FROM pg_locks
         WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database())
           AND mode = 'AccessExclusiveLock' AND NOT granted`,
      );
      return rows.map(({ name: table }) => table).find((table) => users.has(table));
    };
    let isDone = false;
    const migrated = migrate(url, () => undefined, {
      ...{ dir, lockTimeoutMs: LOCK_MS, tries: 100, pauseMs: 50 },
    }).finally(() => {
      isDone = true;
    });
    // A lock is held while the migration waits for the others.
    const writing = Promise.all(
      written.map(async (table) => {
        const writer = await connect();
        await writer.query(`SET lock_timeout = ${String(WRITER_MS)}`);
        while (!isDone) await writer.query(`DELETE FROM ${table} WHERE false`);
      }),
    );
    const ending = (async () => {
      while (users.size > 0) {
        const table = await until('the migration waits for a table', waitedFor);
        await pause(0.8 * LOCK_MS);
        await users.get(table)?.query('COMMIT');
        users.delete(table);
      }
    })();
    const [applied] = await Promise.all([migrated, writing, ending]);
    expect(applied).toEqual([name]);
    expect((await watcher.query(made)).rowCount).toBe(count);
  },
);
