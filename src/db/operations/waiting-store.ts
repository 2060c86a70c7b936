import type { SystemTransaction } from '../client/database.ts';
import { UNSURE_PAYMENTS } from '../payments/unsure-payment-store.ts';
import {
  WAITING_OF_CHAINS,
  WAITING_ROWS,
  type WaitingOfChains,
} from '../onchain/waiting-deposits.ts';

/** What waits for operators, by kind. */
export type WaitingKind =
  | 'APPROVAL_HANDED_IN'
  | 'APPROVAL_PROPOSED'
  | 'APPROVAL_NOT_IN_EFFECT'
  | 'PAYMENT_HELD'
  | 'PAYMENT_CONTRADICTED'
  | 'PAYMENT_UNSURE'
  | 'LATE_RETURN'
  | 'UNMATCHED_CREDIT'
  | 'STATEMENT_REFUSED'
  | 'SCREENING_CASE'
  | 'RELEASE_STOP'
  | 'MAIL_UNSENT'
  | 'ACCESS_REQUEST'
  | 'ADDRESS_PENDING'
  | 'LIVE_REQUEST'
  | WaitingOfChains;

export interface WaitingRow {
  readonly kind: WaitingKind;
  /** Counted up to COUNTED_MAX. */
  readonly count: number;
  readonly oldest: Date;
}

/** A backlog beyond this is "more than": what it costs to count stays small. */
export const COUNTED_MAX = 1_000;

/** One kind: what waits, and since when. */
const kind = (name: WaitingKind, since: string, from: string): string =>
  `SELECT '${name}' AS kind, count(*)::int AS count, min(since) AS oldest
   FROM (SELECT ${since} AS since FROM ${from} LIMIT ${String(COUNTED_MAX + 1)}) AS waiting`;

const READ_WAITING = [
  kind(
    'APPROVAL_HANDED_IN',
    'proposed_at',
    'approvals WHERE decision IS NULL AND proposed_by IS NULL AND expires_at > :now',
  ),
  kind(
    'APPROVAL_PROPOSED',
    'coalesce(taken_up_at, proposed_at)',
    'approvals WHERE decision IS NULL AND proposed_by IS NOT NULL AND expires_at > :now',
  ),
  kind(
    'APPROVAL_NOT_IN_EFFECT',
    'decided_at',
    `approvals a WHERE decision = 'APPROVED' AND void_at IS NULL AND expires_at > :now
       AND NOT EXISTS (SELECT FROM approval_uses u WHERE u.approval_id = a.id)`,
  ),
  kind(
    'PAYMENT_HELD',
    'coalesce(held_since, updated_at)',
    `payments WHERE environment IN ('live', 'test') AND status = 'ON_HOLD'`,
  ),
  kind(
    'PAYMENT_CONTRADICTED',
    'updated_at',
    `payments WHERE environment IN ('live', 'test') AND reconciliation_status = 'EXCEPTION'`,
  ),
  kind('PAYMENT_UNSURE', 'a.updated_at', UNSURE_PAYMENTS),
  kind('LATE_RETURN', 'told_at', 'late_returns WHERE decision IS NULL'),
  kind('UNMATCHED_CREDIT', 'received_at', 'incoming_credits WHERE outcome IS NULL'),
  kind('STATEMENT_REFUSED', 'listed_at', `statements WHERE status IN ('REFUSED', 'UNREADABLE')`),
  kind('SCREENING_CASE', 'opened_at', 'screening_cases WHERE outcome IS NULL'),
  kind('RELEASE_STOP', 'stopped_at', 'release_stops WHERE resumed_at IS NULL'),
  kind('MAIL_UNSENT', 'ended_at', `mails WHERE status IN ('FAILED', 'EXPIRED')`),
  kind('ACCESS_REQUEST', 'created_at', `access_requests WHERE status = 'WAITING'`),
  kind('ADDRESS_PENDING', 'created_at', `api_key_addresses WHERE status = 'PENDING'`),
  kind('LIVE_REQUEST', 'requested_at', 'live_access_requests WHERE decision IS NULL'),
  ...WAITING_OF_CHAINS.map((name) => kind(name, WAITING_ROWS[name].since, WAITING_ROWS[name].from)),
].join(' UNION ALL ');

/** All that waits for operators: a row for each kind of which there is any. */
export function readWaiting(tx: SystemTransaction, now: Date): Promise<WaitingRow[]> {
  return tx.query<WaitingRow>(`SELECT * FROM (${READ_WAITING}) AS all_kinds WHERE count > 0`, {
    now,
  });
}
