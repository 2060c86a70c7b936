import { findNumbering, type StatementOrigin } from '../../db/reconciliation/statement-store.ts';
import { findReconciledSince } from '../../db/reconciliation/statement-match-store.ts';
import {
  isOlderThan,
  RESTART_PROBE_AFTER_MS,
  STATEMENTS_AGE_ALARM_EVERY_MS,
  STATEMENTS_AGE_MAX_MS,
} from '../../domain/reconciliation/statement-age.ts';
import type { RaiseAlarmsDeps } from './raise-alarms.ts';
import { storeListed, type ListedByBank } from './store-listed.ts';

/** Asked for again each time, so that a statement which was late for its place is not lost. */
const LOOK_BACK = 20n;
/**
 * A bank's list may be cut into parts, even of one statement each; what is beyond so many is for the
 * next run. More than LOOK_BACK, or such a bank's list would end before anything new.
 */
const LISTS_MAX = 60;

/** The bank's statements beyond a sequence, ascending. */
type ListAfter = (after: bigint) => Promise<readonly ListedByBank[]>;

/**
 * Stores what the bank lists beyond the highest known sequence, and a little before it. After a long
 * time without anything new the list is asked for from its start as well: a bank that counts anew shows
 * only there.
 */
export async function listStatements(
  deps: RaiseAlarmsDeps,
  origin: StatementOrigin,
  listAfter: ListAfter,
): Promise<void> {
  const known = await deps.db.system((tx) => findNumbering(tx, origin));
  const last = known?.sequence ?? 0n;
  const taken = await storeFrom(deps, origin, listAfter, last > LOOK_BACK ? last - LOOK_BACK : 0n);
  if (taken > 0 || known === null || last <= LOOK_BACK) return;
  const probeAfterMs = RESTART_PROBE_AFTER_MS[origin.environment];
  if (!isOlderThan(known.listedAt, probeAfterMs, deps.clock.now())) return;
  await storeListed(deps, origin, await listAfter(0n));
}

async function storeFrom(
  deps: RaiseAlarmsDeps,
  origin: StatementOrigin,
  listAfter: ListAfter,
  from: bigint,
): Promise<number> {
  let after = from;
  let taken = 0;
  for (let lists = 0; lists < LISTS_MAX; lists += 1) {
    const listed = await listAfter(after);
    const newest = listed.at(-1);
    if (newest === undefined) break;
    taken += await storeListed(deps, origin, listed);
    after = newest.sequence;
  }
  return taken;
}

/** Gives the alarm for a connector of which nothing has been reconciled for too long, once an hour. */
export function createStalenessAlarm(deps: RaiseAlarmsDeps) {
  const givenAt = new Map<string, Date>();
  return async ({ environment, connector }: StatementOrigin): Promise<void> => {
    const now = deps.clock.now();
    const origin = { environment, connector };
    const since = await deps.db.system((tx) => findReconciledSince(tx, origin));
    if (since === null || !isOlderThan(since, STATEMENTS_AGE_MAX_MS[environment], now)) return;
    const key = `${environment}/${connector}`;
    const last = givenAt.get(key);
    if (last !== undefined && !isOlderThan(last, STATEMENTS_AGE_ALARM_EVERY_MS, now)) return;
    givenAt.set(key, now);
    deps.alarm({ kind: 'STATEMENTS_STALE', ...origin, since: since.toISOString() });
  };
}
