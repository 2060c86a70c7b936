import { setTimeout as pause } from 'node:timers/promises';
import type { Scope } from '../../domain/scope.ts';
import type { Database, ScopedTransaction } from './database.ts';
import { isLockTimeout, ScopeBusy } from './outage.ts';

const PATIENCE_MS = 5_000;
/** Between two tries, in which the writers of the scope go on. */
const PAUSE_MS = { least: 50, most: 250 };

/**
 * Runs work as `Database.exclusive`, which gives way to the scope's writers after half a second, again and
 * again for 5 s in all. Throws ScopeBusy where it still could not be alone.
 */
export async function aloneInTheEnd<Result>(
  db: Pick<Database, 'exclusive'>,
  scope: Scope,
  work: (tx: ScopedTransaction) => Promise<Result>,
): Promise<Result> {
  const startedMs = performance.now();
  for (;;) {
    try {
      return await db.exclusive(scope, work);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (performance.now() - startedMs >= PATIENCE_MS) throw new ScopeBusy({ cause: error });
    }
    // Many that gave way at once do not come again at once.
    await pause(PAUSE_MS.least + Math.random() * (PAUSE_MS.most - PAUSE_MS.least));
  }
}
