import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../../src/db/migrate.ts';
import { startPostgres, type EmbeddedPostgres } from '../../../src/local/embedded/postgres.ts';

const MIGRATIONS = resolve(import.meta.dirname, '../../../src/db/migrations');
/** The last migration before people's roles. */
const BEFORE_PEOPLE = '0047';
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

/** The migrations of a version before. */
function migrationsUpTo(last: string): string {
  const dir = mkdtempSync(join(folder, 'migrations-'));
  for (const file of readdirSync(MIGRATIONS)) {
    if (file.slice(0, 4) <= last) cpSync(join(MIGRATIONS, file), join(dir, file));
  }
  return dir;
}

const quiet = (): void => undefined;

/** What api and worker may call. */
async function callable(url: string): Promise<string[]> {
  const rows = await run<{ name: string }>(
    url,
    `SELECT r.name || ' ' || p.oid::regprocedure AS name
     FROM pg_proc p CROSS JOIN (VALUES ('causeway_app'), ('causeway_system')) AS r (name)
     WHERE p.pronamespace = 'public'::regnamespace AND p.prorettype <> 'trigger'::regtype
       AND has_function_privilege(r.name, p.oid, 'EXECUTE') ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

describe('a login that owns the database and is no superuser', () => {
  it('migrates where no role is there yet, and makes them', async () => {
    const url = await databaseOf('first_owner');
    expect(await migrate(url, quiet)).toContain('0063_function_owners');
    expect(await migrate(url, quiet)).toEqual([]);
    const made = await run<{ count: number }>(
      url,
      `SELECT count(*)::integer AS count FROM pg_roles WHERE rolname IN ('${GROUPS.join("','")}')`,
    );
    expect(made).toEqual([{ count: GROUPS.length }]);
  });

  it('goes on from the version before people, without CREATEROLE where the roles are there', async () => {
    const url = await databaseOf('second_owner');
    await run(server.url, `GRANT ${GROUPS.join(', ')} TO second_owner WITH ADMIN OPTION`);
    const before = await migrate(url, quiet, { dir: migrationsUpTo(BEFORE_PEOPLE) });
    expect(before.at(-1)).toContain(BEFORE_PEOPLE);
    const called = await callable(url);
    await run(server.url, 'ALTER ROLE second_owner NOCREATEROLE');
    expect(await migrate(url, quiet)).toContain('0050_web_roles');
    expect(await migrate(url, quiet)).toEqual([]);
    // The version before runs beside: what it calls, it calls still.
    expect(called.length).toBeGreaterThan(20);
    const now = await callable(url);
    // That one it calls as causeway_app alone.
    expect(called.filter((name) => !now.includes(name))).toEqual([
      'causeway_system touch_api_keys(jsonb)',
    ]);
  });
});
