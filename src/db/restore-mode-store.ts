import { actorText } from '../domain/actor.ts';
import type { AnyTransaction, SystemTransaction } from './database.ts';
import { lockReleaseAlone, type ReleaseAct } from './release-stop-store.ts';

/** Restore mode as it was begun. */
export interface RestoreMode {
  readonly reason: string;
  /** `operator:<name>`. */
  readonly begunBy: string;
  readonly begunAt: Date;
}

/**
 * Whether a lost life of the database may have sent a payment that was accepted at `acceptedAt`: it was
 * accepted before the end of restore mode, or restore mode is on. To be certain, look after
 * `lockReleaseShared`, as for a stop.
 */
export async function mayHaveLostLife(tx: AnyTransaction, acceptedAt: Date): Promise<boolean> {
  const rows = await tx.query(
    'SELECT FROM restore_mode WHERE ended_at IS NULL OR ended_at > $1 LIMIT 1',
    [acceptedAt],
  );
  return rows.length > 0;
}

/** Whether restore mode was begun after what was last written at `writtenAt`. Look as above. */
export async function wasRestoredSince(tx: AnyTransaction, writtenAt: Date): Promise<boolean> {
  const rows = await tx.query('SELECT FROM restore_mode WHERE begun_at > $1 LIMIT 1', [writtenAt]);
  return rows.length > 0;
}

/** Restore mode where it is on, else null. */
export async function findRestoreMode(tx: SystemTransaction): Promise<RestoreMode | null> {
  const rows = await tx.query<RestoreMode>(
    `SELECT reason, begun_by AS "begunBy", begun_at AS "begunAt"
     FROM restore_mode WHERE ended_at IS NULL`,
  );
  return rows[0] ?? null;
}

/** Begins restore mode; answers false where it is on already. */
export async function beginRestoreMode(tx: SystemTransaction, act: ReleaseAct): Promise<boolean> {
  await lockReleaseAlone(tx);
  const rows = await tx.query(
    `INSERT INTO restore_mode (reason, begun_by, begun_at) VALUES ($1, $2, $3)
     ON CONFLICT ((true)) WHERE ended_at IS NULL DO NOTHING RETURNING id`,
    [act.reason, actorText(act.actor), act.at],
  );
  return rows.length > 0;
}

/** Ends restore mode; answers false where it was not on. */
export async function endRestoreMode(tx: SystemTransaction, act: ReleaseAct): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE restore_mode SET ended_by = $1, ended_at = $2, end_reason = $3
     WHERE ended_at IS NULL RETURNING id`,
    [actorText(act.actor), act.at, act.reason],
  );
  return rows.length > 0;
}
