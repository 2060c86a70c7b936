import type { Database } from '../../../db/client/database.ts';
import { listUnshownDecisions } from '../../../db/onchain/deposit-review-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { Environment } from '../../../domain/scope.ts';
import { showDecision } from './decide-deposit.ts';

interface ShowDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Told of a deposit that could not be worked on; the others are. */
  readonly onFault: (depositId: string, error: unknown) => void;
}

/** Deposits of one run; the next run takes the others. */
const DEPOSITS_AT_ONCE = 100;

/**
 * Shows on deposits what operators have decided where that was cut off, or where the deposit was orphaned when it was
 * decided and has been mined again. Answers how many were looked at. May run twice at a time.
 */
export async function showDecisions(deps: ShowDeps, environment: Environment): Promise<number> {
  const rows = await deps.db.system((tx) =>
    listUnshownDecisions(tx, environment, DEPOSITS_AT_ONCE),
  );
  for (const row of rows) {
    await showDecision(deps, row).catch((error: unknown) => {
      deps.onFault(row.id, error);
    });
  }
  return rows.length;
}
