import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import type { Database } from '../client/database.ts';
import { MIGRATIONS } from './migrations-folder.ts';

/** The newest migration of this build. */
const NEWEST = basename(
  readdirSync(MIGRATIONS)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .at(-1) ?? '',
  '.sql',
);

/** Whether the database has every migration of this build. It may have later ones: those of the next release. */
export async function isMigrated(db: Pick<Database, 'query'>): Promise<boolean> {
  const [row] = await db.query<{ isMigrated: boolean }>(
    'SELECT EXISTS (SELECT FROM schema_migrations WHERE name = $1) AS "isMigrated"',
    [NEWEST],
  );
  return row?.isMigrated === true;
}
