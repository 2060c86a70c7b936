import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createPool } from '../../src/db/pool.ts';
import { startPostgres } from '../../src/embedded/postgres.ts';
import { makeLawfulWorld, type LawfulWorld } from './lawful-world.ts';

/**
 * A PostgreSQL of its own: these tests break the rules of a database as its superuser, and make and
 * drop roles, which belong to a whole cluster.
 */
export interface VerifyCluster {
  readonly world: LawfulWorld;
  /** A fresh copy of the lawful world, broken by the SQL given; as superuser, with triggers off. */
  copy(breach?: string): Promise<string>;
  /** Runs SQL in the database of that address, as a client of its own. */
  run(url: string, sql: string): Promise<void>;
  /** The address of a database as another login user, whom the SQL makes. */
  loginAs(url: string, user: string, grants: string): Promise<string>;
  /** The address of a database that nobody migrated. */
  readonly emptyUrl: string;
  stop(): Promise<void>;
}

export async function startVerifyCluster(): Promise<VerifyCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'cw-verify-'));
  const quiet = (): void => undefined;
  const server = await startPostgres({
    dataDir: join(folder, 'data'),
    port: 0,
    durable: false,
    log: quiet,
    progress: quiet,
  });
  const urlOf = (database: string): string => {
    const url = new URL(server.url);
    url.pathname = `/${database}`;
    return url.href;
  };
  const emptyUrl = urlOf('postgres');
  await migrate(server.url, quiet);
  const world = await seed(server.url);
  let copies = 0;
  return {
    world,
    emptyUrl,
    run,
    async copy(breach = '') {
      copies += 1;
      const url = urlOf(`copy_${copies}`);
      await run(emptyUrl, `CREATE DATABASE copy_${copies} TEMPLATE causeway`);
      if (breach !== '') await run(url, `SET session_replication_role = replica; ${breach}`);
      return url;
    },
    async loginAs(url, user, grants) {
      await run(url, `CREATE ROLE ${user} LOGIN PASSWORD 'not-a-secret'; ${grants}`);
      const address = new URL(url);
      address.username = user;
      address.password = 'not-a-secret';
      return address.href;
    },
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function seed(url: string): Promise<LawfulWorld> {
  const pool = (role: 'causeway_app' | 'causeway_system') =>
    createPool({
      url,
      role,
      connectionsMax: 2,
      onError: (error) => {
        throw error;
      },
    });
  const db = createDatabase({
    appPool: pool('causeway_app'),
    systemPool: pool('causeway_system'),
    ring: () => undefined,
  });
  try {
    return await makeLawfulWorld(db);
  } finally {
    await db.close();
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
