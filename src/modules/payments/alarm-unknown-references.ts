import type { Database } from '../../db/client/database.ts';
import {
  lockReportsToAlarm,
  markReportsAlarmed,
} from '../../db/payments/unexplained-report-store.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Environment } from '../../domain/scope.ts';

/** Ids only: a reference that is not ours is text of the bank's choice. */
export type RaiseUnknownReference = (report: {
  readonly reportId: string;
  readonly environment: Environment;
}) => void;

/**
 * Raises an alarm for each report about a reference that is no attempt's, `limit` at the most. It is
 * marked in the report's row after it was raised, so it is raised at least once, and again only where
 * the commit was lost.
 */
export async function alarmUnknownReferences(
  deps: {
    readonly db: Database;
    readonly clock: Clock;
    readonly raiseUnknownReference: RaiseUnknownReference;
  },
  limit: number,
): Promise<void> {
  await deps.db.system(async (tx) => {
    const reports = await lockReportsToAlarm(tx, limit);
    if (reports.length === 0) return;
    for (const { id, environment } of reports) {
      deps.raiseUnknownReference({ reportId: String(id), environment });
    }
    const ids = reports.map(({ id }) => id);
    await markReportsAlarmed(tx, ids, deps.clock.now());
  });
}
