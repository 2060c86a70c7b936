import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { loadMigrations } from './migration-files.ts';
import { MIGRATIONS } from './migrations-folder.ts';

const MIGRATION_LOCK = 5_203_114_862;
const LOOK_FOR_LOCK_EVERY_MS = 500;

/**
 * Gives functions their search path and their owner, and takes from PUBLIC what a restore gave back: the first
 * migration makes it.
 */
const SECURE_DATABASE = 'CALL public.secure_database()';

/** The database was migrated by other files than ours. Nothing of it is changed. */
export class ForeignSchema extends Error {
  override readonly name = 'ForeignSchema';

  /** The first of those files. */
  readonly migration: string;

  constructor(migration: string) {
    super(
      `This database was made by an earlier, unreleased schema (${migration}): ` +
        'create an empty database and run migrate again.',
    );
    this.migration = migration;
  }
}

export interface MigrateOptions {
  /** The folder of the migrations; Causeway's own unless given. */
  readonly dir?: string;
  /**
   * How long a migration waits for a table, in ms. Every writer waits behind it for as long, so it is
   * short, and repeated.
   */
  readonly lockTimeoutMs?: number;
  readonly tries?: number;
  /** Between two tries, in ms: the writers' time. */
  readonly pauseMs?: number;
}

/**
 * Brings the database to the newest schema, forward only, secures its functions, and answers the names of
 * what ran. Two processes may call it at once: the second waits, then finds nothing to do. Throws where a table stays
 * locked by others for all tries; what ran before stays, and the next call goes on from there. `log`
 * hears of each such try.
 * @throws ForeignSchema where other files than ours made the database.
 */
export async function migrate(
  url: string,
  log: (line: string) => void,
  { dir = MIGRATIONS, lockTimeoutMs = 2_000, tries = 30, pauseMs = 5_000 }: MigrateOptions = {},
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await takeMigrationLock(client);
    await refuseForeignSchema(client, dir);
    const applied: string[] = [];
    const load = loadOnce();
    for (let attempt = 1; ;) {
      try {
        await client.query(`SET lock_timeout = ${String(lockTimeoutMs)}`);
        const name = await applyNext(client, dir, load);
        if (name === null) {
          await client.query(SECURE_DATABASE);
          return applied;
        }
        applied.push(name);
        attempt = 1;
      } catch (error) {
        if (!isInTheWay(error)) throw error;
        await client.query('ROLLBACK');
        if (attempt >= tries)
          throw new Error(stayedLocked(attempt, lockTimeoutMs), { cause: error });
        log(`A table is in use. Try ${String(attempt)} of ${String(tries)}.`);
        attempt += 1;
        await pause(pauseMs);
      }
    }
  } finally {
    await client.end();
  }
}

/**
 * Asked for again and again, not waited for: a statement that waits has a snapshot, and an index that
 * the other process builds CONCURRENTLY would wait for its end.
 */
async function takeMigrationLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ isTaken: boolean }>(
      'SELECT pg_try_advisory_lock($1) AS "isTaken"',
      [MIGRATION_LOCK],
    );
    if (rows[0]?.isTaken === true) return;
    await pause(LOOK_FOR_LOCK_EVERY_MS);
  }
}

/** What a later version applied comes after all of ours and is none of our business. */
async function refuseForeignSchema(client: pg.Client, dir: string): Promise<void> {
  const { rows } = await client.query<{ isNew: boolean }>(
    `SELECT to_regclass('public.schema_migrations') IS NULL AS "isNew"`,
  );
  if (rows[0]?.isNew === true) return;
  const ours = (await readdir(dir)).filter((file) => file.endsWith('.sql')).sort();
  const names = new Set(ours.map((file) => basename(file, '.sql')));
  const last = basename(ours.at(-1) ?? '', '.sql');
  const { rows: applied } = await client.query<{ name: string }>(
    'SELECT name FROM public.schema_migrations ORDER BY id',
  );
  const foreign = applied.find(({ name }) => !names.has(name) && name < last);
  if (foreign !== undefined) throw new ForeignSchema(foreign.name);
}

/** Files are read once a call of migrate(): the runner asks for all of them before each migration. */
function loadOnce(): typeof loadMigrations {
  let loaded: ReturnType<typeof loadMigrations> | null = null;
  return (paths) => (loaded ??= loadMigrations(paths));
}

async function applyNext(
  client: pg.Client,
  dir: string,
  load: typeof loadMigrations,
): Promise<string | null> {
  const [done] = await runner({
    dbClient: client,
    dir,
    direction: 'up',
    count: 1,
    migrationsTable: 'schema_migrations',
    migrationLoaderStrategies: [{ extensions: ['.sql'], loader: load }],
    noLock: true,
    checkOrder: true,
    log: () => undefined,
  });
  return done?.name ?? null;
}

/** A lock timeout, or a deadlock with a transaction that takes the same tables in another order. */
const isInTheWay = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '55P03' || error.code === '40P01');

const stayedLocked = (tries: number, lockTimeoutMs: number): string =>
  `A table that the next migration changes was in use at each of ${String(tries)} tries, ` +
  `${String(lockTimeoutMs)} ms each. Nothing of that migration was applied. End the transactions ` +
  'that hold it (pg_stat_activity shows them by xact_start), then run migrate again.';
