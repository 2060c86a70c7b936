import type { Environment } from '../../domain/scope.ts';
import type { SystemTransaction } from '../client/database.ts';
import { OPS_PAYMENT_COLUMNS, type OpsPayment } from './ops-store.ts';
import { UNSURE_PAYMENTS } from '../payments/unsure-payment-store.ts';
import { WAITING_OF_CHAINS, WAITING_ROWS } from '../onchain/waiting-deposits.ts';

/** What waits for operators, by kind. */
export const WAITING_KINDS = [
  'APPROVAL_HANDED_IN',
  'APPROVAL_PROPOSED',
  'APPROVAL_NOT_IN_EFFECT',
  'PAYMENT_HELD',
  'PAYMENT_CONTRADICTED',
  'PAYMENT_UNSURE',
  'LATE_RETURN',
  'UNMATCHED_CREDIT',
  'STATEMENT_REFUSED',
  'SCREENING_CASE',
  'RELEASE_STOP',
  'MAIL_UNSENT',
  'ACCESS_REQUEST',
  'ADDRESS_PENDING',
  'LIVE_REQUEST',
  ...WAITING_OF_CHAINS,
] as const;

export type WaitingKind = (typeof WAITING_KINDS)[number];

export interface WaitingRow {
  readonly kind: WaitingKind;
  /** Counted up to COUNTED_MAX. */
  readonly count: number;
  readonly oldest: Date;
}

/** A backlog beyond this is "more than": what it costs to count stays small. */
export const COUNTED_MAX = 1_000;

/** One kind: what waits, and since when. */
const kind = (name: WaitingKind, since: string, from: string) => ({
  name,
  text: `SELECT '${name}' AS kind, count(*)::int AS count, min(since) AS oldest
   FROM (SELECT ${since} AS since FROM ${from} LIMIT ${String(COUNTED_MAX + 1)}) AS waiting`,
});

const QUERIES: readonly { readonly name: WaitingKind; readonly text: string }[] = [
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
];

/** All that waits for operators, or some kinds of it: a row for each kind of which there is any. */
export function readWaiting(
  tx: SystemTransaction,
  now: Date,
  kinds?: readonly WaitingKind[],
): Promise<WaitingRow[]> {
  const asked = QUERIES.filter(({ name }) => kinds === undefined || kinds.includes(name));
  const all = asked.map(({ text }) => text).join(' UNION ALL ');
  return tx.query<WaitingRow>(
    `SELECT * FROM (${all}) AS all_kinds WHERE count > 0 AND :now::timestamptz IS NOT NULL`,
    { now },
  );
}

/** Payments of the kinds that a payment's own row tells. */
type WaitingPayments = 'PAYMENT_HELD' | 'PAYMENT_CONTRADICTED';

const LIST_PAYMENTS: Readonly<Record<WaitingPayments, string>> = {
  PAYMENT_HELD: `status = 'ON_HOLD' ORDER BY coalesce(held_since, updated_at)`,
  PAYMENT_CONTRADICTED: `reconciliation_status = 'EXCEPTION' ORDER BY updated_at`,
};

/** These, the longest waiting first. */
export function listWaitingPayments(
  tx: SystemTransaction,
  name: WaitingPayments,
  limit: number,
): Promise<OpsPayment[]> {
  return tx.query<OpsPayment>(
    `SELECT ${OPS_PAYMENT_COLUMNS} FROM payments
     WHERE environment IN ('live', 'test') AND ${LIST_PAYMENTS[name]} LIMIT $1`,
    [limit],
  );
}

/** A network that is stopped or not read. */
export interface WaitingNetwork {
  readonly environment: Environment;
  readonly network: string;
  readonly block: bigint;
  readonly since: Date;
}

/** These, the longest waiting first. */
export function listWaitingNetworks(
  tx: SystemTransaction,
  name: 'CHAIN_STOP' | 'CHAIN_NOT_READ',
  now: Date,
  limit: number,
): Promise<WaitingNetwork[]> {
  const { since, from } = WAITING_ROWS[name];
  return tx.query<WaitingNetwork>(
    `SELECT environment, network, block_number AS block, ${since} AS since FROM ${from}
       AND :now::timestamptz IS NOT NULL
     ORDER BY ${since} LIMIT :limit`,
    { now, limit },
  );
}
