import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { migrate, type MigrateOptions } from '../../../src/db/schema/migrate.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { until } from '../../support/until.ts';
import { migrateKept } from '../../../src/cli/dev/migrate-kept.ts';
import { PlainError } from '../../../src/server/runtime/plain-error.ts';

let dir: string;
let url: string;
let admin: pg.Client;
let clients: pg.Client[];
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'migrations-'));
  const name = newId('test');
  const server = await connect(inject('postgresUrl'));
  await server.query(`CREATE DATABASE ${name}`);
  await server.end();
  const address = new URL(inject('postgresUrl'));
  address.pathname = `/${name}`;
  url = address.href;
  admin = await connect(url);
  clients = [];
  write('0001_things.sql', `CREATE TABLE things (id int); ${SECURE_DATABASE}`);
  await run();
});
afterEach(async () => {
  await Promise.all([admin, ...clients].map((client) => client.end()));
  const server = await connect(inject('postgresUrl'));
  await server.query(`DROP DATABASE ${databaseName()} WITH (FORCE)`);
  await server.end();
  rmSync(dir, { recursive: true });
});

async function connect(to: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: to });
  await client.connect();
  return client;
}

/** Another process's connection, in the middle of a transaction that has done `sql`. */
async function transactionWith(sql: string): Promise<pg.Client> {
  const client = await connect(url);
  clients.push(client);
  await client.query('BEGIN');
  await client.query(sql);
  return client;
}

/** What the first of our own files makes, and each run calls. */
const SECURE_DATABASE = "CREATE PROCEDURE secure_database() LANGUAGE sql AS 'SELECT 1'";

const databaseName = () => new URL(url).pathname.slice(1);
const write = (name: string, sql: string) => writeFileSync(join(dir, name), sql);

const logged: string[] = [];
function run(options: MigrateOptions = {}): Promise<string[]> {
  logged.length = 0;
  const log = (line: string) => void logged.push(line);
  return migrate(url, log, { dir, lockTimeoutMs: 100, pauseMs: 100, tries: 100, ...options });
}

const ADD_COLUMN = 'ALTER TABLE things ADD COLUMN name text;';
const hasColumn = async () =>
  (
    await admin.query(
      "SELECT FROM information_schema.columns WHERE table_name = 'things' AND column_name = 'name'",
    )
  ).rowCount === 1;
const isWaitingForLock = async () =>
  (await admin.query("SELECT FROM pg_locks WHERE relation = 'things'::regclass AND NOT granted"))
    .rowCount === 1 || null;
const indexState = async () =>
  (
    await admin.query<{ isValid: boolean }>(
      `SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass('things_by_id')`,
    )
  ).rows;

describe('a migration whose table a long reader uses', () => {
  it('keeps no writer waiting, and runs once the reader has ended', async () => {
    const reader = await transactionWith('SELECT FROM things');
    write('0002_name.sql', ADD_COLUMN);
    const migrated = run();
    await admin.query("SET statement_timeout = '5s'");
    const isTrying = () => logged.some((line) => line.startsWith('A table is in use')) || null;
    await until('the migration tries again', isTrying);
    for (let id = 0; id < 5; id += 1) await admin.query('INSERT INTO things VALUES ($1)', [id]);
    await reader.query('COMMIT');
    expect(await migrated).toEqual(['0002_name']);
    expect(await hasColumn()).toBe(true);
  });

  it('gives up in plain words with nothing of it applied, and runs the next time', async () => {
    const reader = await transactionWith('SELECT FROM things');
    write('0002_name.sql', `CREATE TABLE other (id int); ${ADD_COLUMN}`);
    await expect(run({ tries: 2 })).rejects.toThrow(/in use at each of 2 tries, 100 ms each/);
    const made = await admin.query("SELECT to_regclass('other') AS other");
    expect(made.rows).toEqual([{ other: null }]);
    await reader.query('COMMIT');
    expect(await run()).toEqual(['0002_name']);
  });

  it('keeps what ran before it', async () => {
    const reader = await transactionWith('SELECT FROM things');
    write('0002_other.sql', 'CREATE TABLE other (id int);');
    write('0003_name.sql', ADD_COLUMN);
    await expect(run({ tries: 1 })).rejects.toThrow('in use');
    await reader.query('COMMIT');
    expect(await run()).toEqual(['0003_name']);
  });

  it('tries again after a deadlock with a writer that takes the tables in another order', async () => {
    await admin.query('CREATE TABLE others (id int)');
    await admin.query(`ALTER DATABASE ${databaseName()} SET deadlock_timeout = '3s'`);
    const writer = await transactionWith('INSERT INTO things VALUES (1)');
    await writer.query("SET deadlock_timeout = '60s'");
    write('0002_both.sql', `ALTER TABLE others ADD COLUMN name text; ${ADD_COLUMN}`);
    const migrated = run({ lockTimeoutMs: 30_000 });
    await until('the migration waits for the writer', isWaitingForLock);
    await writer.query('INSERT INTO others VALUES (1)');
    await writer.query('COMMIT');
    expect(await migrated).toEqual(['0002_both']);
    expect(logged).toHaveLength(1);
    expect(await hasColumn()).toBe(true);
  });

  it('is told from one that is wrong: that fails at once', async () => {
    write('0002_wrong.sql', 'ALTER TABLE things DROP COLUMN missing;');
    await expect(run()).rejects.toThrow('does not exist');
  });
});

const BUILD =
  '-- no transaction\n-- For look-ups.\nCREATE INDEX CONCURRENTLY things_by_id ON things (id);\n';

describe('a migration without a transaction', () => {
  it('builds an index while transactions write', async () => {
    const writer = await transactionWith('INSERT INTO things VALUES (1)');
    write('0002_index.sql', BUILD);
    const migrated = run();
    await until('the index is being built', async () => (await indexState()).length === 1 || null);
    await admin.query('INSERT INTO things VALUES (2)');
    await writer.query('INSERT INTO things VALUES (3)');
    await writer.query('COMMIT');
    expect(await migrated).toEqual(['0002_index']);
    expect(await indexState()).toEqual([{ isValid: true }]);
    expect(await run()).toEqual([]);
  });

  it('drops an index that a broken run left behind, and builds it anew', async () => {
    await admin.query('INSERT INTO things VALUES (1), (1)');
    write('0002_index.sql', BUILD.replace('INDEX', 'UNIQUE INDEX'));
    await expect(run()).rejects.toThrow('could not create unique index');
    expect(await indexState()).toEqual([{ isValid: false }]);
    await admin.query('TRUNCATE things');
    expect(await run()).toEqual(['0002_index']);
    expect(await indexState()).toEqual([{ isValid: true }]);
  });

  it('leaves an index alone that was built but not written down', async () => {
    await admin.query('CREATE INDEX things_by_id ON things (id)');
    write('0002_index.sql', BUILD);
    expect(await run()).toEqual(['0002_index']);
  });

  it.each([
    `${BUILD}${ADD_COLUMN}`,
    `-- no transaction\n${ADD_COLUMN}`,
    '-- no transaction\nCREATE INDEX things_by_id ON things (id);',
  ])('is refused where it is anything else: %s', async (sql) => {
    write('0002_index.sql', sql);
    await expect(run()).rejects.toThrow('one CREATE INDEX CONCURRENTLY');
    expect(await indexState()).toEqual([]);
  });
});

describe('two migrators at once', () => {
  it('apply everything once, an index that is built concurrently too', async () => {
    const writer = await transactionWith('INSERT INTO things VALUES (1)');
    write('0002_index.sql', BUILD);
    write('0003_name.sql', ADD_COLUMN);
    const both = Promise.all([run(), run()]);
    await until('the index is being built', async () => (await indexState()).length === 1 || null);
    await writer.query('COMMIT');
    expect((await both).sort()).toEqual([[], ['0002_index', '0003_name']]);
    expect(await hasColumn()).toBe(true);
  });
});

describe('a database that was migrated by other files', () => {
  const applied = async () => (await admin.query('SELECT name FROM schema_migrations')).rows;
  const setBack = async () => {
    write('0002_roles.sql', 'CREATE TABLE roles (id int);');
    write('0003_people.sql', 'CREATE TABLE people (id int);');
    await run();
    rmSync(join(dir, '0002_roles.sql'));
    write('0002_groups.sql', 'CREATE TABLE groups (id int);');
  };

  it('is refused in one sentence, and nothing of it changes', async () => {
    await setBack();
    const before = await applied();
    await expect(run()).rejects.toThrow(
      'This database was made by an earlier, unreleased schema (0002_roles): ' +
        'create an empty database and run migrate again.',
    );
    expect(await applied()).toEqual(before);
  });

  it('is refused in a kept folder in a sentence that names the folder', async () => {
    await setBack();
    const tried = migrateKept(url, '/somewhere/.dev', { dir });
    await expect(tried).rejects.toThrow(PlainError);
    await expect(tried).rejects.toThrow(
      '/somewhere/.dev holds data of an earlier, unreleased schema (0002_roles): ' +
        'delete the folder and start again.',
    );
  });

  it('is not one that a later version migrated: its files come after ours', async () => {
    write('0002_later.sql', 'CREATE TABLE later (id int);');
    await run();
    rmSync(join(dir, '0002_later.sql'));
    expect(await run()).toEqual([]);
  });
});
