import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';

const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url));
const MIGRATION_LOCK = 5_203_114_862;

/**
 * Brings the database to the newest schema, forward only, and answers the names of what ran. Two
 * processes may call it at once: the second waits, then finds nothing to do.
 */
export async function migrate(url: string, log: (line: string) => void): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const done = await runner({
      dbClient: client,
      dir: MIGRATIONS,
      direction: 'up',
      migrationsTable: 'schema_migrations',
      migrationLoaderStrategies: [{ extensions: ['.sql'], loader: 'legacySql' }],
      noLock: true,
      checkOrder: true,
      log,
    });
    return done.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}
