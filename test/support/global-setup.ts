import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/db/migrate.ts';
import { brokenBuild } from '../broken/builds.ts';
import { startPostgres } from '../../src/local/embedded/postgres.ts';
import { openRunFolder } from './run-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's URL of the server that all tests share. */
    readonly postgresUrl: string;
  }
}

/** The database that `createTestDatabase` clones: migrated, empty, never connected to again. */
export const TEMPLATE_DATABASE = 'causeway_template';

/**
 * Starts one PostgreSQL for the whole run and migrates the template. The data folder is thrown away,
 * so nothing is flushed to the disk.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const closeRunFolder = openRunFolder();
  const folder = mkdtempSync(join(tmpdir(), 'causeway-test-'));
  const postgres = await startPostgres({
    dataDir: join(folder, 'postgres'),
    port: 0,
    durable: false,
    log: () => undefined,
    progress: () => undefined,
  });
  const stop = async (): Promise<void> => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
    closeRunFolder();
  };
  try {
    await createTemplate(postgres.url);
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide('postgresUrl', postgres.url);
  return stop;
}

async function createTemplate(serverUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  try {
    await admin.query(`CREATE DATABASE ${TEMPLATE_DATABASE}`);
  } finally {
    await admin.end();
  }
  const url = new URL(serverUrl);
  url.pathname = `/${TEMPLATE_DATABASE}`;
  await migrate(url.href, () => undefined);
  await breakDatabase(url.href);
}

/** In a run that is to see whether a test can fail; in no other. */
async function breakDatabase(url: string): Promise<void> {
  const sql = brokenBuild()?.sql;
  if (sql === undefined) return;
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    await admin.query(sql);
  } finally {
    await admin.end();
  }
}
