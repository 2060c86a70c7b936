import type { Database } from '../../db/client/database.ts';
import {
  deleteOldReplays,
  pruneEventsOf,
  readPrunableCustomers,
} from '../../db/webhooks/event-pruning-store.ts';
import type { Clock } from '../../domain/clock.ts';
import { oldestEventKept } from '../../domain/webhooks/events/event-age.ts';
import type { Scope } from '../../domain/scope.ts';

const CUSTOMERS = 500;
/** Rows of a table that one transaction deletes. */
const ROWS = 500;
/** What a run leaves, the next one finds. */
const RUN_MS_MAX = 10 * 60_000;

interface PruneDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/**
 * Deletes the events that are not shown any more, with their deliveries and attempts, and replays that
 * were over as long ago; for ten minutes at the most, the oldest of each scope first. To run it twice, or at
 * once, is harmless. One scope that fails stops no other; the first error is thrown in the end.
 */
export async function pruneEventLog({ db, clock }: PruneDeps): Promise<void> {
  const until = oldestEventKept(clock.now());
  const startedMs = performance.now();
  const isOver = () => performance.now() - startedMs >= RUN_MS_MAX;
  const failures: unknown[] = [];
  const drain = async (prune: () => Promise<number>): Promise<void> => {
    try {
      while (!isOver() && (await prune()) > 0);
    } catch (error) {
      failures.push(error);
    }
  };
  for (let after = ''; !isOver();) {
    const from = after;
    const page = await db.system((tx) => readPrunableCustomers(tx, until, from, CUSTOMERS));
    for (const scope of page.flatMap(scopesOf)) {
      await drain(() => db.system((tx) => pruneEventsOf(tx, scope, until, ROWS)));
    }
    const last = page.at(-1);
    if (last === undefined || page.length < CUSTOMERS) break;
    after = last.customerId;
  }
  await drain(() => db.system((tx) => deleteOldReplays(tx, until, ROWS)));
  if (failures.length > 0) throw failures[0];
}

const scopesOf = (found: {
  readonly customerId: string;
  readonly environments: readonly Scope['environment'][];
}): Scope[] =>
  found.environments.map((environment) => ({ customerId: found.customerId, environment }));
