import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type Database } from '../../../../src/db/client/database.ts';
import { migrate } from '../../../../src/db/schema/migrate.ts';
import { createPool } from '../../../../src/db/client/pool.ts';
import {
  OPS_ROLES,
  RESEALING_ROLES,
  type DatabaseRoles,
} from '../../../../src/db/schema/database-roles.ts';
import { createOpsCommands } from '../../../support/cli/ops/ops-commands.ts';
import { startPostgres, type EmbeddedPostgres } from '../../../../src/cli/embedded/postgres.ts';

const root = resolve(import.meta.dirname, '../../../..');
const read = (file: string): string => readFileSync(resolve(root, file), 'utf8');

/** What psql reads from the environment for init.sql. */
const PASSWORDS = {
  owner: 'owner-of-test',
  service: 'service-of-test',
  dashboard: 'dashboard-of-test',
  console: 'console-of-test',
  ops: 'ops-of-test',
  chain: 'chain-of-test',
  temporal: 'temporal-of-test',
};
const LOGINS = {
  migrate: `causeway_owner:${PASSWORDS.owner}`,
  api: `causeway_service:${PASSWORDS.service}`,
  dashboard: `causeway_dashboard_login:${PASSWORDS.dashboard}`,
  console: `causeway_console_login:${PASSWORDS.console}`,
  ops: `causeway_ops_login:${PASSWORDS.ops}`,
  chain: `causeway_signer:${PASSWORDS.chain}`,
  temporal: `temporal:${PASSWORDS.temporal}`,
};

/** init.sql as psql sends it: its own commands carried out, its variables filled in. */
function initSql(): string {
  const sql = read('deploy/postgres/init.sql').replace(/^\\getenv .*$/gm, '');
  return sql.replace(
    /:'([a-z]+)_password'/g,
    (_all, role: keyof typeof PASSWORDS) => `'${PASSWORDS[role]}'`,
  );
}

const OPERATOR_ONE = 'opr_00000000000000000000000001';
const OPERATOR_TWO = 'opr_00000000000000000000000002';

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

  it('let each login put on its own roles alone', async () => {
    const puts = async (login: keyof typeof LOGINS, role: string) =>
      run(addressOf(login), `SET ROLE ${role}`).then(
        () => true,
        () => false,
      );
    const roles = [
      ...['causeway_app', 'causeway_system', 'causeway_dashboard', 'causeway_entry'],
      ...['causeway_effects', 'causeway_console', 'causeway_ops', 'causeway_chain'],
      'causeway_resealer',
    ];
    const may: Record<string, string[]> = {};
    for (const login of ['api', 'dashboard', 'console', 'ops', 'chain'] as const) {
      may[login] = [];
      for (const role of roles) if (await puts(login, role)) may[login].push(role);
    }
    expect(may).toEqual({
      api: ['causeway_app', 'causeway_system'],
      dashboard: ['causeway_dashboard', 'causeway_entry'],
      console: ['causeway_effects', 'causeway_console'],
      ops: ['causeway_dashboard', 'causeway_ops'],
      chain: ['causeway_app', 'causeway_chain'],
    });
    for (const login of ['dashboard', 'console', 'ops'] as const) {
      const tried = run(addressOf(login), 'SELECT FROM payments');
      await expect(tried, login).rejects.toThrow('permission denied');
    }
  });

  it('let the login of commands seal values anew only while the owner has given it the role', async () => {
    const open = (roles: DatabaseRoles): Database => {
      const common = { url: addressOf('ops'), connectionsMax: 1, onError: () => undefined };
      return createDatabase({
        appPool: createPool({ ...common, role: roles.app }),
        systemPool: createPool({ ...common, role: roles.system }),
        runAfterCommit: () => undefined,
      });
    };
    const [db, resealing] = [open(OPS_ROLES), open(RESEALING_ROLES)];
    const ops = createOpsCommands(db, { now: () => new Date() }, { resealing });
    const reseal = () => ops('secrets', 'reseal', '--operator', 'ada');
    try {
      const refused = await reseal();
      expect(refused.code).toBe(1);
      expect(refused.printed).toContain('GRANT causeway_resealer TO');
      await run(addressOf('migrate'), 'GRANT causeway_resealer TO causeway_ops_login');
      expect((await reseal()).code).toBe(0);
      await run(addressOf('migrate'), 'REVOKE causeway_resealer FROM causeway_ops_login');
    } finally {
      await Promise.all([db.close(), resealing.close()]);
    }
  });

  it('let no login make a temporary table, whose name a guard might read, or a function', async () => {
    for (const [login, role] of [
      ...([
        ['api', 'causeway_app'],
        ['api', 'causeway_system'],
      ] as const),
      ...([
        ['dashboard', 'causeway_dashboard'],
        ['dashboard', 'causeway_entry'],
        ['console', 'causeway_effects'],
        ['console', 'causeway_console'],
        ['ops', 'causeway_ops'],
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
      for (const login of ['api', 'dashboard', 'console', 'ops', 'chain', 'temporal'] as const) {
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

  /** What takes the console, as SQL that anybody with a login may send. */
  const DECISIONS = {
    'insert an approved proposal': `INSERT INTO approvals (id, customer_id, environment, action, subject_id,
        subject_version, content, proposed_by, proposed_at, reason, expires_at, decision, decided_by, decided_at,
        decision_reason)
      VALUES ('apr_approved', 'cus_one', 'test', 'CUSTOMER_RESUMPTION', 'cus_one', 1, '{}', '${OPERATOR_ONE}', now(),
        'why', now() + interval '1 day', 'APPROVED', '${OPERATOR_TWO}', now(), 'why')`,
    'propose in the name of an operator': `INSERT INTO approvals (id, customer_id, environment, action, subject_id,
        subject_version, content, proposed_by, proposed_at, reason, expires_at)
      VALUES ('apr_proposed', 'cus_one', 'test', 'CUSTOMER_RESUMPTION', 'cus_two', 1, '{}', '${OPERATOR_ONE}', now(),
        'why', now() + interval '1 day')`,
    'take a proposal up': `UPDATE approvals SET proposed_by = '${OPERATOR_ONE}', taken_up_at = now()`,
    'decide a proposal': `UPDATE approvals SET decision = 'APPROVED', decided_by = '${OPERATOR_TWO}',
        decided_at = now(), decision_reason = 'why'`,
    'void a proposal': `UPDATE approvals SET void_as = 'WITHDRAWN', void_by = '${OPERATOR_ONE}', void_at = now(),
        void_reason = 'why'`,
    'use a proposal': `INSERT INTO approval_uses (approval_id, customer_id, environment, used_at)
      VALUES ('apr_waits', 'cus_one', 'test', now())`,
    'confirm an operator': `UPDATE operators SET confirmed_at = now(), confirmed_by = '${OPERATOR_ONE}'
      WHERE id = '${OPERATOR_TWO}'`,
    'insert a confirmed operator': `INSERT INTO operators (id, address_hash, address, name, role, confirmed_at,
        created_at)
      VALUES ('opr_00000000000000000000000009', decode(repeat('09', 32), 'hex'), '', '', 'ADMIN', now(), now())`,
    'insert a passkey of an operator': `INSERT INTO passkeys (id, credential_id, public_key, counter, transports,
        operator_id, browser, created_at)
      VALUES ('psk_00000000000000000000000009', '\\x09', '\\x09', 0, '{}', '${OPERATOR_ONE}', 'x', now())`,
    'open a session of an operator': `SELECT open_session('ses_00000000000000000000000009',
      decode(repeat('09', 32), 'hex'), 'console', '${OPERATOR_ONE}', 'x', interval '1 hour', now(),
      now() + interval '1 hour', 5)`,
    'make a code of an operator': `SELECT open_login_challenge('console', decode(repeat('09', 32), 'hex'),
      decode(repeat('09', 32), 'hex'), decode(repeat('09', 32), 'hex'), now(), now() + interval '5 minutes')`,
    'enable an operator': `UPDATE operators SET status = 'ACTIVE' WHERE id = '${OPERATOR_TWO}'`,
  };

  const PROCESSES = [
    ['api', 'causeway_app'],
    ['api', 'causeway_system'],
    ['dashboard', 'causeway_dashboard'],
    ['dashboard', 'causeway_entry'],
    ['ops', 'causeway_dashboard'],
    ['ops', 'causeway_ops'],
    ['chain', 'causeway_chain'],
  ] as const;

  describe('beside the console’s', () => {
    beforeAll(async () => {
      const operator = (id: string, byte: string) =>
        `INSERT INTO operators (id, address_hash, address, name, role, created_at)
         VALUES ('${id}', decode(repeat('${byte}', 32), 'hex'), '', '', 'ADMIN', now())`;
      await run(server.url, operator(OPERATOR_ONE, '01'));
      await run(server.url, operator(OPERATOR_TWO, '02'));
      await run(
        server.url,
        `INSERT INTO approvals (id, customer_id, environment, action, subject_id, subject_version, content,
           submitted_by, proposed_at, reason, expires_at)
         VALUES ('apr_waits', 'cus_one', 'test', 'CUSTOMER_RESUMPTION', 'cus_one', 1, '{}', 'ada', now(), 'why',
           now() + interval '1 day')`,
      );
    });

    it.each(PROCESSES)('let the login of %s decide nothing as %s', async (login, role) => {
      const scope = `SET ROLE ${role}; SET causeway.customer = 'cus_one'; SET causeway.environment = 'test'`;
      for (const [what, sql] of Object.entries(DECISIONS)) {
        const tried = run(addressOf(login), `${scope}; ${sql}`);
        await expect(tried, what).rejects.toThrow(
          /permission denied|row-level security|only the console/,
        );
      }
    });

    it('let the console propose, and the commands submit', async () => {
      const propose = DECISIONS['propose in the name of an operator'];
      // Refused for the operator, who has the wrong role, and not for the login.
      const proposed = run(addressOf('console'), `SET ROLE causeway_console; ${propose}`);
      await expect(proposed).rejects.toThrow('is no active operator with that right');
      const submit = propose.replace('proposed_by', 'submitted_by').replace(OPERATOR_ONE, 'ada');
      await run(addressOf('ops'), `SET ROLE causeway_ops; ${submit}`);
    });

    it('show the dashboard no mail to an operator', async () => {
      const mail = (id: string, byte: string, customer: string) =>
        `INSERT INTO mails (id, customer_id, kind, address_hash, address, contents, created_at, due_at, expires_at)
         VALUES ('mai_0000000000000000000000000${id}', ${customer}, 'LOGIN_CODE',
           decode(repeat('${byte}', 32), 'hex'), '', '', now(), now(), now() + interval '1 hour')`;
      await run(addressOf('console'), `SET ROLE causeway_console; ${mail('1', '01', 'NULL')}`);
      await run(addressOf('console'), `SET ROLE causeway_console; ${mail('2', '02', "'cus_one'")}`);
      await run(addressOf('dashboard'), `SET ROLE causeway_entry; ${mail('3', '03', 'NULL')}`);
      const seen = 'SELECT right(id, 1) AS id FROM mails ORDER BY id';
      const seenBy = async (login: keyof typeof LOGINS, role: string) => {
        const client = new pg.Client({
          connectionString: addressOf(login),
          options: `-c role=${role}`,
        });
        await client.connect();
        const { rows } = await client.query<{ id: string }>(seen).finally(() => client.end());
        return rows.map(({ id }) => id);
      };
      expect(await seenBy('dashboard', 'causeway_entry')).toEqual(['2', '3']);
      expect(await seenBy('console', 'causeway_console')).toEqual(['1', '2', '3']);
    });
  });

  it('make no superuser, and no role that row-level security does not bind', async () => {
    const mighty = await run(
      server.url,
      `SELECT rolname FROM pg_roles WHERE (rolsuper OR rolbypassrls) AND rolname <> 'postgres'
         AND rolname !~ '^pg_'`,
    );
    expect(mighty).toEqual([]);
  });

  it('let the Temporal server make its own databases, and not connect to ours', async () => {
    const ours = addressOf('temporal');
    const maintenance = new URL(ours);
    maintenance.pathname = '/postgres';
    await run(maintenance.href, 'CREATE DATABASE temporal');
    await expect(run(ours, 'SELECT 1')).rejects.toThrow('permission denied for database');
    // Nor does a later migration let it in.
    await migrate(addressOf('migrate'), () => undefined);
    await expect(run(ours, 'SELECT 1')).rejects.toThrow('permission denied for database');
  });
});
