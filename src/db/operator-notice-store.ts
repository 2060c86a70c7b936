import type { SystemTransaction } from './database.ts';

/** Told about in one mail at most; the next run tells of the rest. */
const TOLD_MAX = 500;
const KEPT = "interval '90 days'";

export type RequestNoticeKind = 'ADDRESS_PENDING' | 'LIVE_REQUEST';

const WAITING: Readonly<Record<RequestNoticeKind, string>> = {
  ADDRESS_PENDING: `SELECT id FROM api_key_addresses WHERE status = 'PENDING'`,
  LIVE_REQUEST: 'SELECT id FROM live_access_requests WHERE decision IS NULL',
};

/** Requests of a kind that operators were not told of; they are told of now. */
export async function noteNewRequests(
  tx: SystemTransaction,
  kind: RequestNoticeKind,
  now: Date,
): Promise<readonly string[]> {
  const rows = await tx.query<{ id: string }>(
    `INSERT INTO operator_notices (kind, subject_id, told_at)
     SELECT :kind, id, :now FROM (${WAITING[kind]}) AS waiting
     WHERE NOT EXISTS (SELECT FROM operator_notices n WHERE n.kind = :kind AND n.subject_id = id)
     ORDER BY id LIMIT ${String(TOLD_MAX)}
     ON CONFLICT DO NOTHING RETURNING subject_id AS id`,
    { kind, now },
  );
  return rows.map(({ id }) => id);
}

/**
 * Live payments that only operators move on, or that contradict the bank, and of which operators were not
 * told within a day; none within 15 minutes of the last such notice. They are told of now.
 */
export async function noteStuckPayments(
  tx: SystemTransaction,
  { heldFor, now }: { readonly heldFor: readonly string[]; readonly now: Date },
): Promise<readonly string[]> {
  const rows = await tx.query<{ id: string }>(
    `INSERT INTO operator_notices AS n (kind, subject_id, told_at)
     SELECT 'PAYMENT_STUCK', id, :now FROM (
       SELECT id FROM payments WHERE environment = 'live' AND status = 'ON_HOLD'
         AND status_detail = ANY (:heldFor)
       UNION
       SELECT id FROM payments WHERE environment = 'live' AND reconciliation_status = 'EXCEPTION'
     ) AS stuck
     WHERE NOT EXISTS (SELECT FROM operator_notices t WHERE t.kind = 'PAYMENT_STUCK'
         AND t.subject_id = id AND t.told_at > :now::timestamptz - interval '1 day')
       AND NOT EXISTS (SELECT FROM operator_notices t WHERE t.kind = 'PAYMENT_STUCK'
         AND t.told_at > :now::timestamptz - interval '15 minutes')
     ORDER BY id LIMIT ${String(TOLD_MAX)}
     ON CONFLICT (kind, subject_id) DO UPDATE SET told_at = excluded.told_at
       WHERE n.told_at <= excluded.told_at - interval '1 day'
     RETURNING subject_id AS id`,
    { heldFor: [...heldFor], now },
  );
  return rows.map(({ id }) => id);
}

/** Forgets notices that are over. */
export async function deleteOldNotices(tx: SystemTransaction, now: Date): Promise<void> {
  await tx.query(`DELETE FROM operator_notices WHERE told_at < $1::timestamptz - ${KEPT}`, [now]);
}
