import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/db/schema/migrate.ts';
import { newId } from '../../src/db/client/new-id.ts';
import { brokenBuild } from '../volume/broken/builds.ts';
import { startPostgres } from '../../src/cli/embedded/postgres.ts';
import { openRunFolder } from './run-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's URL of the server that all tests share. */
    readonly postgresUrl: string;
    /** The database that `createTestDatabase` clones: migrated, empty, never connected to again. */
    readonly templateDatabase: string;
  }
}

const TEMPLATE_DATABASE = 'causeway_template';

/**
 * Hundreds of databases with a few rows each: a statement is planned once a connection, for any values, and nothing is
 * vacuumed or analyzed. Tests of volume run on a server that plans as in production.
 */
const FOR_SMALL_TABLES = { autovacuum: 'off', plan_cache_mode: 'force_generic_plan' };

const isOfVolume = ({ vitest }: TestProject): boolean =>
  vitest.projects.some(({ name }) => name.startsWith('volume'));

/**
 * Starts one PostgreSQL for the whole run and migrates the template. The data folder is thrown away,
 * so nothing is flushed to the disk. A run that another run starts uses the server of that run:
 * `TEST_POSTGRES_URL`.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const sharedUrl = process.env['TEST_POSTGRES_URL'];
  if (sharedUrl !== undefined) return setUpOn(project, sharedUrl);
  openRunFolder();
  const folder = mkdtempSync(join(tmpdir(), 'causeway-test-'));
  const postgres = await startPostgres({
    dataDir: join(folder, 'postgres'),
    port: 0,
    durable: false,
    settings: isOfVolume(project) ? {} : FOR_SMALL_TABLES,
    log: () => undefined,
    progress: () => undefined,
  });
  const stop = async (): Promise<void> => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await createTemplate(postgres.url);
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide('postgresUrl', postgres.url);
  project.provide('templateDatabase', TEMPLATE_DATABASE);
  return stop;
}

/** Clones the template of the run that started this one, and breaks the clone where this run is to. */
async function setUpOn(project: TestProject, serverUrl: string): Promise<() => Promise<void>> {
  const template = newId('template');
  const drop = (): Promise<void> => query(serverUrl, `DROP DATABASE ${template} WITH (FORCE)`);
  await query(serverUrl, `CREATE DATABASE ${template} TEMPLATE ${TEMPLATE_DATABASE}`);
  try {
    await breakDatabase(urlOf(serverUrl, template));
  } catch (error) {
    await drop();
    throw error;
  }
  project.provide('postgresUrl', serverUrl);
  project.provide('templateDatabase', template);
  return drop;
}

async function createTemplate(serverUrl: string): Promise<void> {
  await query(serverUrl, `CREATE DATABASE ${TEMPLATE_DATABASE}`);
  const url = urlOf(serverUrl, TEMPLATE_DATABASE);
  await migrate(url, () => undefined);
  await breakDatabase(url);
}

/** In a run that is to see whether a test can fail; in no other. */
async function breakDatabase(url: string): Promise<void> {
  const sql = brokenBuild()?.sql;
  if (sql !== undefined) await query(url, sql);
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function query(url: string, sql: string): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    await admin.query(sql);
  } finally {
    await admin.end();
  }
}
