import pg from 'pg';
import { inject } from 'vitest';
import { createDatabase } from '../../../../src/db/client/database.ts';
import {
  CONSOLE_ROLES,
  SERVICE_ROLES,
  type DatabaseRoles,
} from '../../../../src/db/schema/database-roles.ts';
import { newId } from '../../../../src/db/client/new-id.ts';
import { createPool } from '../../../../src/db/client/pool.ts';
import { makeLawfulHarness, type LawfulHarness } from './lawful-harness.ts';
import { logInTwice } from './lawful-people.ts';

/** Copies of a database in which every invariant holds, each to be broken in its own way. */
export interface VerifyCluster {
  readonly harness: LawfulHarness;
  /** A fresh copy of the lawful harness, broken by the SQL given; as superuser, with triggers off. */
  copy(breach?: string): Promise<string>;
  /** Runs SQL in the database of that address, as a client of its own. */
  run(url: string, sql: string): Promise<void>;
  /** The address of a database as a new login user, to whom `grants` gives rights by name. */
  loginAs(url: string, grants: (user: string) => string): Promise<string>;
  /** The address of a database that was never migrated. */
  readonly emptyUrl: string;
  stop(): Promise<void>;
}

export async function startVerifyCluster(): Promise<VerifyCluster> {
  const serverUrl = inject('postgresUrl');
  const urlOf = (database: string): string => {
    const url = new URL(serverUrl);
    url.pathname = `/${database}`;
    return url.href;
  };
  const lawful = newId('verify');
  const databases = [lawful];
  const users: string[] = [];
  await run(serverUrl, `CREATE DATABASE ${lawful} TEMPLATE ${inject('templateDatabase')}`);
  const harness = await seed(urlOf(lawful));
  return {
    harness,
    emptyUrl: urlOf('postgres'),
    run,
    async copy(breach = '') {
      const name = `${lawful}_${databases.length}`;
      databases.push(name);
      await run(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${lawful}`);
      if (breach !== '')
        await run(urlOf(name), `SET session_replication_role = replica; ${breach}`);
      return urlOf(name);
    },
    async loginAs(url, grants) {
      const user = newId('user');
      users.push(user);
      await run(url, `CREATE ROLE ${user} LOGIN PASSWORD 'not-a-secret'; ${grants(user)}`);
      const address = new URL(url);
      address.username = user;
      address.password = 'not-a-secret';
      return address.href;
    },
    async stop() {
      for (const name of databases) await run(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
      for (const user of users) await run(serverUrl, `DROP ROLE ${user}`);
    },
  };
}

async function seed(url: string): Promise<LawfulHarness> {
  const onError = (): void => undefined;
  const open = (roles: DatabaseRoles) =>
    createDatabase({
      appPool: createPool({ url, role: roles.app, connectionsMax: 2, onError }),
      systemPool: createPool({ url, role: roles.system, connectionsMax: 2, onError }),
      runAfterCommit: () => undefined,
    });
  const [db, people] = [open(SERVICE_ROLES), open(CONSOLE_ROLES)];
  try {
    await logInTwice(people);
    return await makeLawfulHarness(db);
  } finally {
    await Promise.all([db.close(), people.close()]);
  }
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
