import { expect } from 'vitest';
import type { Database } from '../../../src/db/client/database.ts';

/** Resolves when a transaction of this database waits for a lock between writers and drains. */
export const waitForBlockedLock = (db: Pick<Database, 'system'>) =>
  expect
    .poll(() =>
      db.system((tx) =>
        tx.query(
          `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database =
             (SELECT oid FROM pg_database WHERE datname = current_database())`,
        ),
      ),
    )
    .not.toEqual([]);
