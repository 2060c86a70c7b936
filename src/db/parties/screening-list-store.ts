import { ScreeningError } from '../../domain/parties/screening/screening-provider.ts';
import type { Environment } from '../../domain/scope.ts';
import type { AnyTransaction, SystemTransaction } from '../client/database.ts';
import { lockReleaseAlone } from '../operations/release-stop-store.ts';

/** A version that was replaced is not put in force again sooner. */
const PUT_BACK_AFTER_MS = 3_600_000;

/** The list that is in force in an environment. */
interface ScreeningList {
  readonly version: string;
  readonly since: Date;
  /** The version in which every subject was last looked up, and when that was done. */
  readonly completedVersion: string | null;
  readonly completedAt: Date | null;
}

/** Null where the environment has no list yet. */
export async function findScreeningList(
  tx: AnyTransaction,
  environment: Environment,
): Promise<ScreeningList | null> {
  const rows = await tx.query<ScreeningList>(
    `SELECT version, since, completed_version AS "completedVersion", completed_at AS "completedAt"
     FROM screening_lists WHERE environment = $1`,
    [environment],
  );
  return rows[0] ?? null;
}

/**
 * Puts a version of the list in force, and answers the one that was: the same where nothing changes. When this has committed, nothing
 * leaves that was looked up in the one before: it waits for claims under way, as a release stop does.
 * Throws ScreeningError where the version was replaced within the last hour, and PostgreSQL's 55P03 where
 * claims do not end within 5 s.
 */
export async function putListInForce(
  tx: SystemTransaction,
  environment: Environment,
  version: string,
  at: Date,
): Promise<string | null> {
  await lockReleaseAlone(tx);
  const before = await findScreeningList(tx, environment);
  if (await wasReplacedLately(tx, environment, version, at)) {
    throw new ScreeningError('SCREENING_LIST_REPLACED');
  }
  await tx.query(
    `INSERT INTO screening_lists AS l (environment, version, since)
     VALUES (:environment, :version, :at)
     ON CONFLICT (environment) DO UPDATE SET version = excluded.version, since = excluded.since
       WHERE l.version <> excluded.version`,
    { environment, version, at },
  );
  return before?.version ?? null;
}

/**
 * Whether another version took the place of this one within the last hour, as the audit log has it: two
 * processes with different lists would put them in force in turns.
 */
export async function wasReplacedLately(
  tx: SystemTransaction,
  environment: Environment,
  version: string,
  at: Date,
): Promise<boolean> {
  const since = new Date(at.getTime() - PUT_BACK_AFTER_MS);
  const list = await findScreeningList(tx, environment);
  // Then the audit log, which may be long, is not asked.
  if (list === null || list.version === version || list.since <= since) return false;
  const rows = await tx.query(
    `SELECT FROM audit_log
     WHERE action = 'screening.list_changed' AND subject = :subject AND at > :since
       AND details ->> 'before' = :version LIMIT 1`,
    { subject: `screening_lists/${environment}`, since, version },
  );
  return rows.length > 0;
}

/** Notes that every subject has been looked up in the version, if it is still in force. */
export async function completeScreeningList(
  tx: SystemTransaction,
  environment: Environment,
  version: string,
  at: Date,
): Promise<void> {
  await tx.query(
    `UPDATE screening_lists SET completed_version = :version, completed_at = :at
     WHERE environment = :environment AND version = :version`,
    { environment, version, at },
  );
}
