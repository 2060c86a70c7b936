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
const NAME = '0063_resealing';
/** How long the migration waits, and how long a writer does. */
const [LOCK_MS, WRITER_MS] = [1_000, 5_500];

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
  for (const file of readdirSync(OURS).filter((one) => one < NAME)) {
    cpSync(join(OURS, file), join(dir, file));
  }
  const name = newId('test');
  const server = await connect(inject('postgresUrl'));
  await server.query(`CREATE DATABASE ${name}`);
  const address = new URL(inject('postgresUrl'));
  address.pathname = `/${name}`;
  url = address.href;
  await migrate(url, () => undefined, { dir });
  cpSync(join(OURS, `${NAME}.sql`), join(dir, `${NAME}.sql`));
});
afterEach(async () => {
  const database = new URL(url).pathname.slice(1);
  await Promise.all(clients.map((client) => client.end()));
  const server = await connect(inject('postgresUrl'));
  await server.query(`DROP DATABASE ${database} WITH (FORCE)`);
  await server.end();
  rmSync(dir, { recursive: true });
});

it('the migration that lets values be sealed anew keeps no writer waiting while it waits for one table after another', async () => {
  // Of each a transaction uses a table that the migration changes, and ends shortly before the migration would give up.
  const used = [
    'bank_accounts',
    'end_users',
    'kyc_checks',
    'mails',
    'operators',
    'payments',
    'users',
  ];
  const readers = await Promise.all(
    [...used, 'wallets', 'webhook_endpoints'].map(async (table) => {
      const client = await connect();
      await client.query(`BEGIN; SELECT FROM ${table}`);
      return { client, table };
    }),
  );
  const writer = await connect();
  await writer.query(`SET lock_timeout = ${String(WRITER_MS)}`);
  const watcher = await connect();
  const isWaitingFor = async (table: string) =>
    (
      await watcher.query(
        `SELECT FROM pg_locks WHERE relation = $1::regclass AND mode = 'AccessExclusiveLock' AND NOT granted`,
        [table],
      )
    ).rowCount === 1 || null;
  let isDone = false;
  const migrated = migrate(url, () => undefined, {
    ...{ dir, lockTimeoutMs: LOCK_MS, tries: 100, pauseMs: 50 },
  }).finally(() => {
    isDone = true;
  });
  const writing = (async () => {
    // The first of the tables: its lock is held while the migration waits for the others.
    while (!isDone) await writer.query('UPDATE access_requests SET id = id WHERE false');
  })();
  const ending = (async () => {
    for (const { client, table } of readers) {
      await until(`the migration waits for ${table}`, () => isWaitingFor(table));
      await pause(0.8 * LOCK_MS);
      await client.query('COMMIT');
    }
  })();
  const [applied] = await Promise.all([migrated, writing, ending]);
  expect(applied).toEqual([NAME]);
  const { rowCount } = await watcher.query(
    `SELECT FROM pg_policies WHERE policyname = 'resealer_seals'`,
  );
  expect(rowCount).toBe(20);
});
