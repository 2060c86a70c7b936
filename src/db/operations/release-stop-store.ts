import { actorText, type Actor } from '../../domain/actor.ts';
import type { Environment, Scope } from '../../domain/scope.ts';
import type { ScopedTransaction, SystemTransaction } from '../client/database.ts';

/** What a stop concerns. Null means all. */
export interface ReleaseFilter {
  readonly environment: Environment | null;
  readonly rail: string | null;
  readonly customerId: string | null;
}

/** A stop that is in force. */
export interface ReleaseStop extends ReleaseFilter {
  readonly id: bigint;
  readonly reason: string;
  /** `operator:<name>`. */
  readonly stoppedBy: string;
  readonly stoppedAt: Date;
}

/** Who stops or resumes, when, and why. */
export interface ReleaseAct {
  readonly actor: Actor;
  readonly at: Date;
  readonly reason: string;
}

/**
 * SQL. Every transaction that lets money leave runs this in a statement BEFORE the one that looks at
 * release_stops. A stop takes the same lock alone, so it waits until those before it have committed;
 * those behind it look with a snapshot that holds the stop. Under READ COMMITTED each statement has
 * its own snapshot, which is why one statement for both would not do.
 */
export const RELEASE_LOCK_SHARED = "pg_advisory_xact_lock_shared(hashtextextended('release', 0))";
const RELEASE_LOCK_ALONE = RELEASE_LOCK_SHARED.replace('_shared', '');

/** Lets money leave until the commit; waits while a stop is being made. See above for the order. */
export async function lockReleaseShared(tx: ScopedTransaction): Promise<void> {
  await tx.query(`SELECT ${RELEASE_LOCK_SHARED}`);
}

/** A release that waits behind this lock waits as long, so it is not waited for without end. */
const WAIT_FOR_RELEASES = "SET LOCAL lock_timeout = '5s'";

const COLUMNS = `id, environment, rail, customer_id AS "customerId", reason,
  stopped_by AS "stoppedBy", stopped_at AS "stoppedAt"`;

/**
 * Waits until no transaction that lets money leave is under way, and keeps new ones waiting until the
 * commit. Throws PostgreSQL's `lock_not_available` (55P03) after 5 s.
 */
export async function lockReleaseAlone(tx: SystemTransaction): Promise<void> {
  await tx.query(WAIT_FOR_RELEASES);
  await tx.query(`SELECT ${RELEASE_LOCK_ALONE}`);
}

/** Stops what the filter names: nothing of it leaves after the commit. */
export async function insertReleaseStop(
  tx: SystemTransaction,
  filter: ReleaseFilter,
  act: ReleaseAct,
): Promise<bigint> {
  await lockReleaseAlone(tx);
  const rows = await tx.query<{ id: bigint }>(
    `INSERT INTO release_stops (environment, rail, customer_id, reason, stopped_by, stopped_at)
     VALUES (:environment, :rail, :customerId, :reason, :actor, :at) RETURNING id`,
    { ...filterValues(filter), actor: actorText(act.actor), at: act.at, reason: act.reason },
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a release stop was not stored');
  return row.id;
}

/**
 * Ends the stops that were made with exactly this filter, and answers them. A narrower one stays in
 * force: it was made for a reason of its own.
 */
export async function resumeReleaseStops(
  tx: SystemTransaction,
  filter: ReleaseFilter,
  act: ReleaseAct,
): Promise<ReleaseStop[]> {
  // So that every payment that the stop has held back is in the list that is woken afterwards.
  await lockReleaseAlone(tx);
  return tx.query<ReleaseStop>(
    `UPDATE release_stops SET resumed_by = :actor, resumed_at = :at, resume_reason = :reason
     WHERE resumed_at IS NULL AND environment IS NOT DISTINCT FROM :environment
       AND rail IS NOT DISTINCT FROM :rail AND customer_id IS NOT DISTINCT FROM :customerId
     RETURNING ${COLUMNS}`,
    { ...filterValues(filter), actor: actorText(act.actor), at: act.at, reason: act.reason },
  );
}

/** A stop in force; null where there is none of that number. */
export async function findReleaseStopById(
  tx: SystemTransaction,
  id: bigint,
): Promise<ReleaseStop | null> {
  const rows = await tx.query<ReleaseStop>(
    `SELECT ${COLUMNS} FROM release_stops WHERE id = $1 AND resumed_at IS NULL`,
    [id],
  );
  return rows[0] ?? null;
}

/** The stops in force, oldest first; every scope's under the system role. */
export async function listReleaseStops(
  tx: SystemTransaction,
  limit: number,
): Promise<ReleaseStop[]> {
  return tx.query<ReleaseStop>(
    `SELECT ${COLUMNS} FROM release_stops WHERE resumed_at IS NULL ORDER BY id LIMIT $1`,
    [limit],
  );
}

/** The oldest stop in force that concerns a payment of the scope over the rail, or null. */
export async function findReleaseStop(
  tx: ScopedTransaction,
  scope: Scope,
  rail: string,
): Promise<ReleaseStop | null> {
  const rows = await tx.query<ReleaseStop>(
    `SELECT ${COLUMNS} FROM release_stops
     WHERE resumed_at IS NULL AND (customer_id IS NULL OR customer_id = $1)
       AND (environment IS NULL OR environment = $2) AND (rail IS NULL OR rail = $3)
     ORDER BY id LIMIT 1`,
    [scope.customerId, scope.environment, rail],
  );
  return rows[0] ?? null;
}

/** A stop is a filter with more to it, and a statement takes only the values that it names. */
const filterValues = ({ environment, rail, customerId }: ReleaseFilter) => ({
  environment,
  rail,
  customerId,
});

/** A payment that a stop holds back. */
export interface StoppedPayment {
  readonly id: string;
  readonly customerId: string;
  readonly environment: Environment;
  readonly workflowId: string;
}

/** Payments after `afterId` that a stop holds back and the filter names, by id. */
export async function listStoppedPayments(
  tx: SystemTransaction,
  filter: ReleaseFilter,
  afterId: string,
  limit: number,
): Promise<StoppedPayment[]> {
  return tx.query<StoppedPayment>(
    `SELECT id, customer_id AS "customerId", environment, workflow_id AS "workflowId"
     FROM payments
     WHERE status = 'ON_HOLD' AND status_detail = 'RELEASE_STOPPED' AND id > :afterId
       AND (:environment::text IS NULL OR environment = :environment)
       AND (:rail::text IS NULL OR rail = :rail)
       AND (:customerId::text IS NULL OR customer_id = :customerId)
     ORDER BY id LIMIT :limit`,
    { ...filterValues(filter), afterId, limit },
  );
}
