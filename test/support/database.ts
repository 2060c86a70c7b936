import pg from 'pg';
import { inject } from 'vitest';
import {
  createDatabase,
  type Database,
  type RunAfterCommit,
} from '../../src/db/client/database.ts';
import {
  CONSOLE_ROLES,
  DASHBOARD_ROLES,
  OPS_ROLES,
  RESEALING_ROLES,
  SERVICE_ROLES,
  type DatabaseRoles,
} from '../../src/db/schema/database-roles.ts';
import { newId } from '../../src/db/client/new-id.ts';
import { createPool } from '../../src/db/client/pool.ts';
import { expectEventsFit } from './events-fit.ts';

export interface TestDatabase {
  readonly db: Database;
  /** The same database as the console has it. */
  readonly people: Database;
  /** The same as the dashboard has it. */
  readonly dashboard: Database;
  /** The same as the operators' commands have it. */
  readonly commands: Database;
  /** The same as what seals values anew has it. */
  readonly resealing: Database;
  /** A superuser's URL, for what the application's roles may not do. */
  readonly url: string;
  /** Tells the planner how much there is, as autovacuum does after a minute. */
  analyze(): Promise<void>;
  /** Copies the database as it is; what comes back puts the copy in its place, as a restore does. */
  keepCopy(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** What pools of tests have in common: many at once wait for a connection as long as a busy machine takes. */
export const TEST_POOL = { connectWithinMs: 60_000, onError: (): void => undefined };

/**
 * A migrated database of the caller's own, gone after `close`. One a test file: `beforeAll` makes it,
 * `afterAll` closes it.
 */
export async function createTestDatabase(
  runAfterCommit: RunAfterCommit = () => undefined,
): Promise<TestDatabase> {
  const serverUrl = inject('postgresUrl');
  const name = newId('test');
  await runOnServer(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${inject('templateDatabase')}`);
  const address = new URL(serverUrl);
  address.pathname = `/${name}`;
  const url = address.href;
  const openAs = (roles: DatabaseRoles) =>
    createDatabase({
      appPool: createPool({ ...TEST_POOL, url, role: roles.app, connectionsMax: 10 }),
      systemPool: createPool({ ...TEST_POOL, url, role: roles.system, connectionsMax: 4 }),
      runAfterCommit,
    });
  const db = openAs(SERVICE_ROLES);
  const people = openAs(CONSOLE_ROLES);
  const dashboard = openAs(DASHBOARD_ROLES);
  const commands = openAs(OPS_ROLES);
  const resealing = openAs(RESEALING_ROLES);
  return {
    ...{ db, people, dashboard, commands, resealing },
    url,
    analyze: () => runOnServer(url, 'ANALYZE'),
    async keepCopy() {
      const copy = newId('test');
      const endConnections = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = '${name}'`;
      // A pool opens the next connection at once, and nothing is copied while there is one.
      await runOnServer(serverUrl, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await runOnServer(serverUrl, endConnections);
      await runOnServer(serverUrl, `CREATE DATABASE ${copy} TEMPLATE ${name}`);
      await runOnServer(serverUrl, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
      return async () => {
        await runOnServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
        await runOnServer(serverUrl, `ALTER DATABASE ${copy} RENAME TO ${name}`);
      };
    },
    async close() {
      await Promise.all([db, people, dashboard, commands, resealing].map((one) => one.close()));
      // Whatever the test was about: what it made the engine record is what the document says.
      await expectEventsFit(url).finally(() =>
        runOnServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`),
      );
    },
  };
}

async function runOnServer(url: string, statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}
