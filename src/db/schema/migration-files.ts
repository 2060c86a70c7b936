import { readFile } from 'node:fs/promises';
import type { MigrationBuilder } from 'node-pg-migrate';

/** The first line of a migration that cannot run inside a transaction. */
const NO_TRANSACTION = '-- no transaction\n';

/** All that such a migration may hold: it must be possible to run it again after half of it. */
const ONE_CONCURRENT_INDEX =
  /^(?:--[^\n]*\n|\s)*CREATE (?:UNIQUE )?INDEX CONCURRENTLY ([a-z_]+)\s+ON\s[^;]+;\s*$/;

/** An index waits for the transactions before it and keeps no writer waiting: it may take its time. */
const INDEX_WAITS_MS = 600_000;

/** Reads migrations: a file is run as one transaction, unless its first line says `-- no transaction`. */
export async function loadMigrations(paths: readonly string[]) {
  return Promise.all(
    paths.map(async (path) => {
      const sql = await readFile(path, 'utf8');
      const up = sql.startsWith(NO_TRANSACTION) ? buildIndex(path, sql) : runWhole(sql);
      return { id: path, filePaths: [path], actions: { up, down: false as const } };
    }),
  );
}

const runWhole = (sql: string) => (pgm: MigrationBuilder) => {
  pgm.sql(sql);
};

function buildIndex(path: string, sql: string) {
  const name = ONE_CONCURRENT_INDEX.exec(sql)?.[1];
  if (name === undefined) {
    throw new Error(`${path}: without a transaction a migration is one CREATE INDEX CONCURRENTLY`);
  }
  return async (pgm: MigrationBuilder) => {
    pgm.noTransaction();
    const [index] = (await pgm.db.select(
      `SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass('${name}')`,
    )) as { isValid: boolean }[];
    // An earlier run may have ended in the middle, or before it was written down as done.
    if (index?.isValid === true) return;
    pgm.sql(`SET lock_timeout = ${String(INDEX_WAITS_MS)}`);
    if (index !== undefined) pgm.sql(`DROP INDEX CONCURRENTLY ${name}`);
    pgm.sql(sql);
  };
}
