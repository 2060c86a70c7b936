import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const GROUPS = [
  ...['causeway_app', 'causeway_system', 'causeway_dashboard', 'causeway_console'],
] as const;
const DEFINERS = ['causeway_console_definer', 'causeway_system_definer'] as const;
/** Expressions of functions of pg_catalog, which the planner reads in place. */
const INLINED = ['operator_identity', 'scope_customer', 'scope_environment'];

let database: TestDatabase;
let superuser: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  superuser = new pg.Client({ connectionString: database.url });
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await database.close();
});

const rows = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await superuser.query<Row & pg.QueryResultRow>(sql, values)).rows as Row[];
const names = async (sql: string, values: unknown[] = []) =>
  (await rows<{ name: string }>(sql, values)).map(({ name }) => name);
const OURS = `pg_proc p WHERE p.pronamespace = 'public'::regnamespace`;

describe('every function of the schema', () => {
  it('looks names up where it says, and in temporary tables last', async () => {
    const found = await rows<{ name: string; path: string | null }>(
      `SELECT p.proname AS name, (SELECT substr(setting, 13) FROM unnest(p.proconfig) AS c (setting)
         WHERE setting LIKE 'search\\_path=%') AS path FROM ${OURS} ORDER BY 1`,
    );
    expect(found.length).toBeGreaterThan(90);
    const safe = ['public, pg_temp', 'pg_catalog, public, pg_temp'];
    const unsafe = found.filter(({ path }) => path === null || !safe.includes(path));
    expect(unsafe.map(({ name }) => name)).toEqual(INLINED);
  });

  it('which has none reads no table and calls none of ours', async () => {
    const bodies = await rows<{ body: string; isDefiner: boolean }>(
      `SELECT p.prosrc AS body, p.prosecdef AS "isDefiner" FROM ${OURS} AND p.proname = ANY ($1)`,
      [INLINED],
    );
    expect(bodies).toHaveLength(INLINED.length);
    for (const { body, isDefiner } of bodies) {
      expect(isDefiner).toBe(false);
      expect(body).not.toMatch(/\b(from|join|into|update)\b/i);
    }
  });

  it('that runs with its owner’s rights is owned by a role that no process works as', async () => {
    const owners = await rows<{ owner: string; count: number }>(
      `SELECT p.proowner::regrole::text AS owner, count(*)::integer AS count FROM ${OURS}
         AND p.prosecdef GROUP BY 1 ORDER BY 1`,
    );
    expect(owners.map(({ owner }) => owner)).toEqual(DEFINERS);
    expect(Math.min(...owners.map(({ count }) => count))).toBeGreaterThan(5);
  });

  it('that runs with its owner’s rights is called by roles that are named', async () => {
    // A trigger function is called by its trigger alone.
    const open = await names(
      `SELECT p.proname AS name FROM ${OURS} AND p.prosecdef AND p.prorettype <> 'trigger'::regtype
         AND EXISTS (SELECT FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
                     WHERE a.grantee = 0)`,
    );
    expect(open).toEqual([]);
  });

  it('is dropped, replaced or changed by no role that works with it', async () => {
    const routines = await names(`SELECT p.oid::regprocedure::text AS name FROM ${OURS}`);
    for (const role of GROUPS) {
      await superuser.query('BEGIN');
      await superuser.query(`SET LOCAL ROLE ${role}`);
      for (const routine of routines) {
        for (const sql of [
          `DROP ROUTINE ${routine} CASCADE`,
          `ALTER ROUTINE ${routine} RESET search_path`,
          `ALTER ROUTINE ${routine} OWNER TO ${role}`,
        ]) {
          await superuser.query('SAVEPOINT before');
          const outcome = await superuser.query(sql).then(
            () => 'done',
            (error: unknown) => (error as pg.DatabaseError).code,
          );
          await superuser.query('ROLLBACK TO before');
          expect(outcome, `${role}: ${sql}`).toBe('42501');
        }
      }
      await superuser.query('ROLLBACK');
    }
  });
});

describe('the roles', () => {
  it('that people and processes work as own nothing', async () => {
    const owned = await names(
      `SELECT r.rolname || ': ' || pg_describe_object(d.classid, d.objid, d.objsubid) AS name
       FROM pg_shdepend d JOIN pg_roles r ON r.oid = d.refobjid
       WHERE d.refclassid = 'pg_authid'::regclass AND d.deptype = 'o' AND r.rolname = ANY ($1)
         AND d.dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [[...GROUPS]],
    );
    expect(owned).toEqual([]);
  });

  it('that own functions have no member but the one that migrates, and no login', async () => {
    const [owner] = await rows<{ name: string }>(
      `SELECT relowner::regrole::text AS name FROM pg_class WHERE oid = 'public.customers'::regclass`,
    );
    for (const definer of DEFINERS) {
      const members = await names(
        `SELECT r.rolname AS name FROM pg_roles r
         WHERE NOT r.rolsuper AND r.rolname <> $1 AND pg_has_role(r.oid, $1, 'MEMBER')`,
        [definer],
      );
      expect(members.filter((member) => member !== owner?.name)).toEqual([]);
      expect(
        await rows(
          `SELECT rolcanlogin, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb FROM pg_roles
           WHERE rolname = $1`,
          [definer],
        ),
      ).toEqual([
        {
          rolcanlogin: false,
          rolsuper: false,
          rolbypassrls: false,
          rolcreaterole: false,
          rolcreatedb: false,
        },
      ]);
    }
  });

  it('inherit from one another as they are meant to, and cannot put one another on', async () => {
    const all = [...GROUPS, ...DEFINERS];
    const memberships = await names(
      `SELECT m.member::regrole || ' of ' || m.roleid::regrole
         || CASE WHEN m.set_option THEN ' SET' ELSE '' END
         || CASE WHEN m.admin_option THEN ' ADMIN' ELSE '' END AS name
       FROM pg_auth_members m WHERE m.roleid::regrole::text = ANY ($1) AND m.member::regrole::text = ANY ($1)
       ORDER BY 1`,
      [all],
    );
    expect(memberships).toEqual([
      'causeway_console of causeway_system',
      'causeway_console_definer of causeway_console',
      'causeway_dashboard of causeway_app',
      'causeway_system_definer of causeway_system',
    ]);
  });

  it('make no function, no table, no type, and where it was migrated no temporary one', async () => {
    for (const role of [...GROUPS, ...DEFINERS]) {
      const [may] = await rows(
        `SELECT has_schema_privilege($1, 'public', 'CREATE') AS "inSchema",
           has_database_privilege($1, $2, 'CREATE') AS "schemas",
           has_database_privilege($1, $2, 'TEMPORARY') AS "temporary"`,
        // A copy of a database has the rights of a new one.
        [role, inject('templateDatabase')],
      );
      expect(may, role).toEqual({ inSchema: false, schemas: false, temporary: false });
    }
  });
});

describe('what a later migration or a restore made otherwise', () => {
  it('is made so again by every migrate', async () => {
    await superuser.query(`
      CREATE FUNCTION forgetful() RETURNS integer LANGUAGE sql SECURITY DEFINER AS 'SELECT 1';
      REVOKE ALL ON FUNCTION forgetful FROM PUBLIC;
      GRANT CREATE ON SCHEMA public TO causeway_console;
      ALTER FUNCTION forgetful() OWNER TO causeway_console;
      REVOKE CREATE ON SCHEMA public FROM causeway_console;
      GRANT EXECUTE ON FUNCTION forgetful() TO causeway_dashboard`);
    await superuser.query('CALL secure_database()');
    await superuser.query('CALL secure_database()');
    expect(
      await rows(
        `SELECT proowner::regrole::text AS owner, proconfig AS config,
           has_function_privilege('causeway_console', oid, 'EXECUTE') AS console,
           has_function_privilege('causeway_dashboard', oid, 'EXECUTE') AS dashboard,
           has_function_privilege('causeway_system', oid, 'EXECUTE') AS system
         FROM pg_proc WHERE proname = 'forgetful'`,
      ),
    ).toEqual([
      {
        ...{
          owner: 'causeway_console_definer',
          config: ['search_path=pg_catalog, public, pg_temp'],
        },
        ...{ console: true, dashboard: true, system: false },
      },
    ]);
    const [may] = await rows(
      `SELECT has_database_privilege('causeway_console', current_database(), 'TEMPORARY') AS may`,
    );
    expect(may).toEqual({ may: false });
  });
});
