import type { SystemTransaction } from '../client/database.ts';
import { UNSURE_PAYMENTS } from '../payments/unsure-payment-store.ts';
import { WAITING_ROWS, type WaitingOfChains } from '../onchain/waiting-deposits.ts';

/** Told about in one mail at most; the next run tells of the rest. An outage that holds thousands is one mail. */
const TOLD_MAX = 10_000;
const KEPT = "interval '90 days'";

/** What customers ask for, and what of live waits on chains. */
export type WaitingNoticeKind =
  'ADDRESS_PENDING' | 'LIVE_REQUEST' | 'PASSKEYS_LOST' | WaitingOfChains;

const ofLive = (kind: WaitingOfChains): string => {
  const { id, from } = WAITING_ROWS[kind];
  return `SELECT ${id} AS id FROM ${from} AND environment = 'live'`;
};

const WAITING: Readonly<Record<WaitingNoticeKind, string>> = {
  ADDRESS_PENDING: `SELECT id FROM api_key_addresses WHERE status = 'PENDING'`,
  LIVE_REQUEST: 'SELECT id FROM live_access_requests WHERE decision IS NULL',
  PASSKEYS_LOST: `SELECT id FROM approvals WHERE decision IS NULL AND proposed_by IS NULL
    AND submitted_by LIKE 'user:%'`,
  DEPOSIT_HELD: ofLive('DEPOSIT_HELD'),
  DEPOSIT_BLOCKED: ofLive('DEPOSIT_BLOCKED'),
  DEPOSIT_NOT_PAID_ON: ofLive('DEPOSIT_NOT_PAID_ON'),
  WALLET_REVIEW: ofLive('WALLET_REVIEW'),
  CHAIN_STOP: ofLive('CHAIN_STOP'),
  CHAIN_NOT_READ: ofLive('CHAIN_NOT_READ'),
};

/** What waits of a kind and operators were not told of; they are told of now. */
export async function noteWaiting(
  tx: SystemTransaction,
  kind: WaitingNoticeKind,
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
 * Live payments that only operators move on, that contradict the bank, or that a network may have paid before a restore,
 * and of which operators were not told within a day; none within 15 minutes of the last such notice. They are told of now.
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
       UNION
       SELECT p.id FROM ${UNSURE_PAYMENTS} AND p.environment = 'live'
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
