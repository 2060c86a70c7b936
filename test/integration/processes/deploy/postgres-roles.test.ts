import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type Database } from '../../../../src/db/client/database.ts';
import { migrate } from '../../../../src/db/schema/migrate.ts';
import { createPool } from '../../../../src/db/client/pool.ts';
import { startPostgres, type EmbeddedPostgres } from '../../../../src/cli/embedded/postgres.ts';

const root = resolve(import.meta.dirname, '../../../..');
const read = (file: string): string => readFileSync(resolve(root, file), 'utf8');

/** What psql reads from the environment for init.sql. */
const PASSWORDS = {
  owner: 'owner-of-test',
  service: 'service-of-test',
  web: 'web-of-test',
  chain: 'chain-of-test',
  temporal: 'temporal-of-test',
};
const LOGINS = {
  migrate: `causeway_owner:${PASSWORDS.owner}`,
  api: `causeway_service:${PASSWORDS.service}`,
  web: `causeway_web:${PASSWORDS.web}`,
  chain: `causeway_signer:${PASSWORDS.chain}`,
  temporal: `temporal:${PASSWORDS.temporal}`,
};

/** init.sql as psql sends it: its own commands carried out, its variables filled in. */
function initSql(): string {
  const sql = read('deploy/postgres/init.sql').replace(/^\\getenv .*$/gm, '');
  return sql.replace(
    /:'(owner|service|web|chain|temporal)_password'/g,
    (_all, role: keyof typeof PASSWORDS) => `'${PASSWORDS[role]}'`,
  );
}

let folder: string;
let server: EmbeddedPostgres;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cw-roles-'));
  const quiet = (): void => undefined;
  server = await startPostgres({
    dataDir: join(folder, 'data'),
    port: 0,
    durable: false,
    log: quiet,
    progress: quiet,
  });
  await run(server.url, initSql());
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

/** The server of this test, as a login that init.sql made. */
function addressOf(service: keyof typeof LOGINS): string {
  return server.url.replace(/\/\/[^@]*@/, `//${LOGINS[service]}@`);
}

function openAs(url: string): Database {
  const common = { url, connectionsMax: 1, onError: () => undefined };
  return createDatabase({
    appPool: createPool({ ...common, role: 'causeway_app' }),
    systemPool: createPool({ ...common, role: 'causeway_system' }),
    runAfterCommit: () => undefined,
  });
}

describe('the roles that deploy/postgres/init.sql makes', () => {
  it('let the owner migrate, without CREATEROLE too', async () => {
    const url = addressOf('migrate');
    const quiet = (): void => undefined;
    await run(server.url, 'ALTER ROLE causeway_owner NOCREATEROLE');
    expect(await migrate(url, quiet)).toContain('0001_roles');
    expect(await migrate(url, quiet)).toEqual([]);
  });

  it('let the service work within one scope', async () => {
    const db = openAs(addressOf('api'));
    try {
      await db.system((tx) =>
        tx.query(
          `INSERT INTO customers (id, name, created_at)
           VALUES ('cus_one', 'One Sample Ltd', now()), ('cus_two', 'Two Sample Ltd', now())`,
        ),
      );
      const seen = await db.read({ customerId: 'cus_one', environment: 'test' }, (tx) =>
        tx.query<{ id: string }>('SELECT id FROM customers'),
      );
      expect(seen).toEqual([{ id: 'cus_one' }]);
    } finally {
      await db.close();
    }
  });

  it('leave the service without a right of its own', async () => {
    const url = addressOf('api');
    await expect(run(url, 'SELECT FROM payments')).rejects.toThrow('permission denied');
    await expect(run(url, 'CREATE TABLE mine (x int)')).rejects.toThrow('permission denied');
    await expect(run(url, 'SET ROLE causeway_app; DROP TABLE payments')).rejects.toThrow('owner');
  });

  it('let web alone put on the roles that write keys, and the signer alone that of chains', async () => {
    const puts = async (login: keyof typeof LOGINS, role: string) =>
      run(addressOf(login), `SET ROLE ${role}`).then(
        () => true,
        () => false,
      );
    const roles = [
      ...['causeway_app', 'causeway_system', 'causeway_dashboard', 'causeway_console'],
      'causeway_chain',
    ];
    const may: Record<string, boolean[]> = {};
    for (const login of ['api', 'web', 'chain'] as const) {
      may[login] = [];
      for (const role of roles) may[login].push(await puts(login, role));
    }
    expect(may).toEqual({
      api: [true, true, false, false, false],
      web: [false, false, true, true, false],
      chain: [true, false, false, false, true],
    });
    const url = addressOf('web');
    await expect(run(url, 'SELECT FROM payments')).rejects.toThrow('permission denied');
  });

  it('let no login make a temporary table, whose name a guard might read, or a function', async () => {
    for (const [login, role] of [
      ...([
        ['api', 'causeway_app'],
        ['api', 'causeway_system'],
      ] as const),
      ...([
        ['web', 'causeway_dashboard'],
        ['web', 'causeway_console'],
        ['chain', 'causeway_chain'],
      ] as const),
    ]) {
      for (const sql of [
        'CREATE TEMP TABLE approvals (id text)',
        'CREATE SCHEMA mine',
        `CREATE FUNCTION public.clock() RETURNS integer LANGUAGE sql AS 'SELECT 1'`,
      ]) {
        const tried = run(addressOf(login), `SET ROLE ${role}; ${sql}`);
        await expect(tried, `${role}: ${sql}`).rejects.toThrow('permission denied');
      }
    }
  });

  it('let no login but the owner’s put on the roles that own functions', async () => {
    for (const role of ['causeway_system_definer', 'causeway_console_definer']) {
      for (const login of ['api', 'web', 'chain', 'temporal'] as const) {
        const tried = run(addressOf(login), `SET ROLE ${role}`);
        await expect(tried, `${login}: ${role}`).rejects.toThrow('permission denied');
      }
      const members = await run<{ name: string }>(
        server.url,
        `SELECT rolname AS name FROM pg_roles
         WHERE NOT rolsuper AND rolname <> '${role}' AND pg_has_role(oid, '${role}', 'MEMBER')`,
      );
      expect(members).toEqual([{ name: 'causeway_owner' }]);
    }
  });

  it('make no superuser, and no role that row-level security does not bind', async () => {
    const mighty = await run(
      server.url,
      `SELECT rolname FROM pg_roles WHERE (rolsuper OR rolbypassrls) AND rolname <> 'postgres'
         AND rolname !~ '^pg_'`,
    );
    expect(mighty).toEqual([]);
  });

  it('let the Temporal server make its own databases', async () => {
    const url = addressOf('temporal');
    await run(url, 'CREATE DATABASE temporal');
    await expect(run(url, 'SELECT FROM payments')).rejects.toThrow('permission denied');
  });
});
