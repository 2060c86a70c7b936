import type { Environment } from '../domain/scope.ts';
import type { AnyTransaction, SystemTransaction } from './database.ts';
import { lockReleaseAlone } from './release-stop-store.ts';

/** The list that is in force in an environment. */
export interface ScreeningList {
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
 * Puts a version of the list in force; false where it is already. When this has committed, nothing
 * leaves that was looked up in the one before: it waits for claims under way, as a release stop does.
 * Throws PostgreSQL's 55P03 where those do not end within 5 s.
 */
export async function putListInForce(
  tx: SystemTransaction,
  environment: Environment,
  version: string,
  at: Date,
): Promise<boolean> {
  await lockReleaseAlone(tx);
  const rows = await tx.query(
    `INSERT INTO screening_lists AS l (environment, version, since)
     VALUES (:environment, :version, :at)
     ON CONFLICT (environment) DO UPDATE SET version = excluded.version, since = excluded.since
       WHERE l.version <> excluded.version
     RETURNING version`,
    { environment, version, at },
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
