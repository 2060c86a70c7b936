import type { Environment } from '../../domain/scope.ts';
import type { SystemTransaction } from '../client/database.ts';

/** A report of a bank about a reference that is no attempt's. */
export interface UnknownReferenceReport {
  readonly id: bigint;
  readonly environment: Environment;
  /** As the bank wrote it. */
  readonly reference: string;
  readonly status: string;
  readonly receivedAt: Date;
}

const UNKNOWN_REPORT = 'id, environment, reference, status, received_at AS "receivedAt"';

/** The newest reports about references that are no attempt's. */
export async function listUnknownReferenceReports(
  tx: SystemTransaction,
  limit: number,
): Promise<UnknownReferenceReport[]> {
  return tx.query<UnknownReferenceReport>(
    `SELECT ${UNKNOWN_REPORT} FROM transfer_reports WHERE payment_id IS NULL
     ORDER BY id DESC LIMIT $1`,
    [limit],
  );
}

/** Such reports without an alarm, oldest first, locked: of two reconcilers one raises it. */
export async function lockReportsToAlarm(
  tx: SystemTransaction,
  limit: number,
): Promise<UnknownReferenceReport[]> {
  return tx.query<UnknownReferenceReport>(
    `SELECT ${UNKNOWN_REPORT} FROM transfer_reports
     WHERE payment_id IS NULL AND alarmed_at IS NULL
     ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`,
    [limit],
  );
}

export async function markReportsAlarmed(
  tx: SystemTransaction,
  ids: readonly bigint[],
  now: Date,
): Promise<void> {
  await tx.query('UPDATE transfer_reports SET alarmed_at = $2 WHERE id = ANY ($1)', [
    [...ids],
    now,
  ]);
}

/** A report that changed nothing although it says something else than the payment's status. */
export interface UnappliedReport {
  readonly id: bigint;
  readonly paymentId: string;
  readonly paymentStatus: string;
  readonly source: string;
  /** What the bank said. */
  readonly said: string;
  /** Null for one that has not been judged yet. */
  readonly effect: string | null;
  readonly receivedAt: Date;
}

const UNAPPLIED_REPORT = `r.id, r.payment_id AS "paymentId", p.status AS "paymentStatus", r.source,
  r.status AS said, r.effect, r.received_at AS "receivedAt"`;

/**
 * The newest reports that contradict what is final, those of a return whose amount no statement has
 * told yet, and those about payments that no workflow works on which have waited since `until` to be
 * judged.
 */
export async function listUnappliedReports(
  tx: SystemTransaction,
  until: Date,
  limit: number,
): Promise<UnappliedReport[]> {
  return tx.query<UnappliedReport>(
    `SELECT * FROM (
       (SELECT ${UNAPPLIED_REPORT} FROM transfer_reports r JOIN payments p ON p.id = r.payment_id
        WHERE r.effect IN ('CONTRADICTION', 'UNKNOWN_REFERENCE', 'AWAIT_STATEMENT',
            'COMPLETE_AND_AWAIT_STATEMENT')
          AND (r.effect IN ('CONTRADICTION', 'UNKNOWN_REFERENCE') OR p.status = 'COMPLETED')
        ORDER BY r.id DESC LIMIT :limit)
       UNION ALL
       (SELECT ${UNAPPLIED_REPORT} FROM transfer_reports r JOIN payments p ON p.id = r.payment_id
        WHERE r.processed_at IS NULL AND r.payment_id IS NOT NULL AND r.received_at < :until
          AND p.status NOT IN ('PROCESSING', 'ON_HOLD', 'SENT')
        ORDER BY r.received_at LIMIT :limit)) AS found
     ORDER BY id DESC LIMIT :limit`,
    { until, limit },
  );
}
