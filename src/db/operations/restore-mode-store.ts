import { actorText } from '../../domain/actor.ts';
import type { AnyTransaction, SystemTransaction } from '../client/database.ts';
import { lockReleaseAlone, type ReleaseAct } from './release-stop-store.ts';

/** Restore mode as it was begun. */
export interface RestoreMode {
  readonly reason: string;
  /** `operator:<name>`. */
  readonly begunBy: string;
  readonly begunAt: Date;
}

/** A payment, and since when it is known. */
interface Accepted {
  readonly id: string;
  readonly createdAt: Date;
}

/** In SQL: whether what is as old as a moment, given in SQL too, may be from before the restore. */
const mayBeLost = (moment: string): string =>
  `EXISTS (SELECT FROM restore_mode WHERE ended_at IS NULL OR ended_at > ${moment})`;

/** In SQL: the same of a payment. */
const mayPaymentBeLost = (id: string, createdAt: string): string =>
  mayBeLost(`asked_for_at(${id}, ${createdAt})`);

/** In SQL: the same of a deposit to the address of a payment, and of the payment: it may have been paid out. */
const mayBePaidOut = (blockAt: string, id: string, createdAt: string): string =>
  `(${mayBeLost(blockAt)} AND ${mayPaymentBeLost(id, createdAt)})`;

/**
 * In SQL: whether the payment `p` may have paid the deposit `d` out before the restore; false where there is no `p`.
 */
export const MAY_BE_PAID_OUT = `(p.id IS NOT NULL AND ${mayBePaidOut('d.block_at', 'p.id', 'p.created_at')})`;

async function isTrue(
  tx: AnyTransaction,
  condition: string,
  values: readonly unknown[],
): Promise<boolean> {
  return (await tx.query(`SELECT WHERE ${condition}`, [...values])).length > 0;
}

/**
 * Whether the database before a restore may have sent a payment that was accepted at `acceptedAt`: it was
 * accepted before the end of restore mode, or restore mode is on. To be certain, look after
 * `lockReleaseShared`, as for a stop.
 */
export function mayPredateRestore(tx: AnyTransaction, acceptedAt: Date): Promise<boolean> {
  return isTrue(tx, mayBeLost('$1'), [acceptedAt]);
}

/**
 * The same of a payment. What a deposit is paid on or refunded by is as old as the deposit's block: it may
 * have paid it long before this one accepts it, also after the end of restore mode.
 */
export function mayPredateRestoreOf(
  tx: AnyTransaction,
  { id, createdAt }: Accepted,
): Promise<boolean> {
  return isTrue(tx, mayPaymentBeLost('$1', '$2'), [id, createdAt]);
}

/**
 * Whether a deposit of a block of `blockAt` may have been paid out before the restore by its payment. Look as
 * above.
 */
export function mayHavePaidOut(
  tx: AnyTransaction,
  { blockAt }: { readonly blockAt: Date },
  { id, createdAt }: Accepted,
): Promise<boolean> {
  return isTrue(tx, mayBePaidOut('$1', '$2', '$3'), [blockAt, id, createdAt]);
}

/** Whether restore mode is on: what partners sent and the bank executed may be gone. */
export async function isRestoring(tx: AnyTransaction): Promise<boolean> {
  const rows = await tx.query('SELECT FROM restore_mode WHERE ended_at IS NULL', []);
  return rows.length > 0;
}

/** Whether restore mode was begun after what was last written at `writtenAt`. Look as above. */
export async function wasRestoredSince(tx: AnyTransaction, writtenAt: Date): Promise<boolean> {
  const rows = await tx.query('SELECT FROM restore_mode WHERE begun_at > $1 LIMIT 1', [writtenAt]);
  return rows.length > 0;
}

/**
 * From when on an address that was given out at `createdAt` may have been given out before the restore, too; null
 * where none may have. Long ago where its copy says nothing of when it ends.
 */
export async function findCopyEnd(tx: AnyTransaction, createdAt: Date): Promise<Date | null> {
  const [row] = await tx.query<{ until: Date | null }>(
    `SELECT min(coalesce(copy_until, to_timestamp(0))) AS until FROM restore_mode
     WHERE (ended_at IS NULL OR ended_at > $1) AND coalesce(copy_until, to_timestamp(0)) < $1`,
    [createdAt],
  );
  return row?.until ?? null;
}

/** Restore mode where it is on, else null. */
export async function findRestoreMode(tx: SystemTransaction): Promise<RestoreMode | null> {
  const rows = await tx.query<RestoreMode>(
    `SELECT reason, begun_by AS "begunBy", begun_at AS "begunAt"
     FROM restore_mode WHERE ended_at IS NULL`,
  );
  return rows[0] ?? null;
}

/**
 * Begins restore mode; answers false where it is on already. Keeps until when the copy knows what happened, by what
 * only workers and the API write: operators may have acted on the copy before.
 */
export async function beginRestoreMode(tx: SystemTransaction, act: ReleaseAct): Promise<boolean> {
  await lockReleaseAlone(tx);
  const rows = await tx.query(
    `INSERT INTO restore_mode (reason, begun_by, begun_at, copy_until) VALUES ($1, $2, $3, greatest(
       (SELECT max(updated_at) FROM chain_cursors), (SELECT max(created_at) FROM payments)))
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
