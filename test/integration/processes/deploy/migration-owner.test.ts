import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../../../src/db/schema/migrate.ts';
import { startPostgres, type EmbeddedPostgres } from '../../../../src/cli/embedded/postgres.ts';

const GROUPS = [
  ...['causeway_app', 'causeway_system', 'causeway_dashboard', 'causeway_console'],
  ...['causeway_chain', 'causeway_system_definer', 'causeway_console_definer'],
];

let folder: string;
let server: EmbeddedPostgres;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cw-owner-'));
  const options = { dataDir: join(folder, 'data'), port: 0, durable: false };
  const quiet = (): void => undefined;
  server = await startPostgres({ ...options, log: quiet, progress: quiet });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function run<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row & pg.QueryResultRow>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A database of its own, and the address of it as a login that owns it and is no superuser. */
async function databaseOf(owner: string): Promise<string> {
  await run(server.url, `CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD 'not-a-secret'`);
  await run(server.url, `CREATE DATABASE ${owner} OWNER ${owner}`);
  const address = new URL(server.url);
  address.username = owner;
  address.password = 'not-a-secret';
  address.pathname = `/${owner}`;
  return address.href;
}

const quiet = (): void => undefined;

describe('a login that owns the database and is no superuser', () => {
  it('migrates where no role is there yet, and makes them', async () => {
    const url = await databaseOf('first_owner');
    expect(await migrate(url, quiet)).toContain('0001_roles');
    expect(await migrate(url, quiet)).toEqual([]);
    const made = await run<{ count: number }>(
      url,
      `SELECT count(*)::integer AS count FROM pg_roles WHERE rolname IN ('${GROUPS.join("','")}')`,
    );
    expect(made).toEqual([{ count: GROUPS.length }]);
  });
});
