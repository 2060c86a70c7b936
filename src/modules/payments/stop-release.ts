import { recordAudit } from '../../db/operations/audit-store.ts';
import type { Database, SystemTransaction } from '../../db/client/database.ts';
import {
  insertReleaseStop,
  resumeReleaseStops,
  type ReleaseAct,
  type ReleaseFilter,
  type ReleaseStop,
} from '../../db/operations/release-stop-store.ts';
import type { Clock } from '../../domain/clock.ts';
import { actOnRelease, type ReleaseDecision } from './act-on-release.ts';

interface ReleaseDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/**
 * Stops what the filter names. When it answers, no payment that the stop concerns can be claimed for
 * a send any more. Throws RangeError where the customer does not exist, and PostgreSQL's 55P03 where
 * claims under way did not end within 15 s.
 */
export function stopRelease(
  deps: ReleaseDeps,
  filter: ReleaseFilter,
  decision: ReleaseDecision,
): Promise<void> {
  return actOnRelease(deps, decision, async (tx, act) => {
    const id = await insertReleaseStop(tx, filter, act).catch((error: unknown) => {
      if (!isForeignKeyViolation(error)) throw error;
      throw new RangeError(`There is no customer ${filter.customerId ?? ''}.`);
    });
    await audit(tx, act, 'release.stop', filter, id);
  });
}

/** Ends the stops that were made with exactly this filter, and answers them. Throws as a stop does. */
export function resumeRelease(
  deps: ReleaseDeps,
  filter: ReleaseFilter,
  decision: ReleaseDecision,
): Promise<ReleaseStop[]> {
  return actOnRelease(deps, decision, async (tx, act) => {
    const ended = await resumeReleaseStops(tx, filter, act);
    for (const { id } of ended) await audit(tx, act, 'release.resume', filter, id);
    return ended;
  });
}

/** The customer is the only row that a stop refers to. */
const isForeignKeyViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '23503';

const audit = (
  tx: SystemTransaction,
  act: ReleaseAct,
  action: string,
  { customerId, environment, rail }: ReleaseFilter,
  id: bigint,
): Promise<void> =>
  recordAudit(tx, {
    at: act.at,
    actor: act.actor,
    action,
    scope: { customerId, environment },
    subject: `release_stops/${String(id)}`,
    details: { rail, reason: act.reason },
  });
