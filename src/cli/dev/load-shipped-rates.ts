import type { Database } from '../../db/client/database.ts';
import { replaceRates } from '../../db/payments/fx-rate-store.ts';
import type { Clock } from '../../domain/clock.ts';
import { createSnapshotSource } from '../../adapters/fx/snapshot.ts';

/** Stores the snapshot of rates that ships with the program, so that the first request finds some. */
export async function loadShippedRates(deps: {
  readonly db: Database;
  readonly clock: Clock;
}): Promise<void> {
  const legs = await createSnapshotSource().fetch();
  await deps.db.system((tx) => replaceRates(tx, legs, deps.clock.now()));
}
