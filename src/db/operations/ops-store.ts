import type { Environment } from '../../domain/scope.ts';
import { idsFrom, idTimeMs } from '../../domain/id-time.ts';
import { ID_PREFIXES } from '../../domain/ids.ts';
import type { SystemTransaction } from '../client/database.ts';

/** A payment as an operator sees it: ids and states, nothing personal. */
export interface OpsPayment {
  readonly id: string;
  readonly customerId: string;
  readonly environment: Environment;
  readonly workflowId: string;
  /** The request that it came with; null where none is stored. */
  readonly requestId: string | null;
  readonly status: string;
  readonly statusDetail: string;
  readonly fundsStatus: string;
  readonly reconciliationStatus: string;
  readonly rail: string;
  /** Null: it goes to a bank account. */
  readonly walletId: string | null;
  readonly currency: string;
  readonly amount: bigint;
  readonly version: number;
  readonly heldSince: Date | null;
  /** Of a payment for a later day: from when on it may leave. */
  readonly releaseAt: Date | null;
  readonly updatedAt: Date;
}

export const OPS_PAYMENT_COLUMNS = `id, customer_id AS "customerId", environment, workflow_id AS "workflowId",
  request_id AS "requestId", status,
  status_detail AS "statusDetail", funds_status AS "fundsStatus",
  reconciliation_status AS "reconciliationStatus", rail, wallet_id AS "walletId", currency, amount,
  version, held_since AS "heldSince", release_at AS "releaseAt", updated_at AS "updatedAt"`;

/** A payment of whichever customer. Needs a transaction of the system role, as all of these do. */
export async function findPaymentForOps(
  tx: SystemTransaction,
  id: string,
): Promise<OpsPayment | null> {
  const rows = await tx.query<OpsPayment>(
    `SELECT ${OPS_PAYMENT_COLUMNS} FROM payments WHERE id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

/** A request ends in 30 s; a lock may hold up its transaction as long again. Clocks may step back. */
const AFTER_REQUEST_MS = 120_000;
const BEFORE_REQUEST_MS = 5_000;

/**
 * The payments that came with a request. Both ids hold the moment at which the same process made them, so
 * only a stretch of the primary key is read; of those that deposits pay for, whose ids hold none, a stretch of time.
 */
export async function findPaymentsOfRequest(
  tx: SystemTransaction,
  requestId: string,
): Promise<OpsPayment[]> {
  const at = idTimeMs(requestId);
  const [from, to] = [at - BEFORE_REQUEST_MS, at + AFTER_REQUEST_MS];
  return tx.query<OpsPayment>(
    `SELECT ${OPS_PAYMENT_COLUMNS} FROM payments
     WHERE request_id = $5 AND (id >= $1 AND id < $2 OR id IN (
       SELECT payment_id FROM payment_fundings WHERE created_at >= $3 AND created_at < $4))
     ORDER BY id`,
    [
      ...[idsFrom(ID_PREFIXES.payment, from), idsFrom(ID_PREFIXES.payment, to)],
      ...[new Date(from), new Date(to), requestId],
    ],
  );
}

const SINCE = 'coalesce(held_since, updated_at)';

/** One that is for a later day has not moved too little before that day. */
const isDueSince = (moment: string) => `(release_at IS NULL OR release_at < ${moment})`;

const stuckOf = (environment: Environment): string[] => [
  `environment = '${environment}' AND status = 'ON_HOLD'`,
  `environment = '${environment}' AND reconciliation_status = 'EXCEPTION'`,
  ...(['PROCESSING', 'SENT'] as const).map(
    (status) => `environment = '${environment}' AND status = '${status}'
        AND ${SINCE} < :${environment}${status} AND ${isDueSince(`:${environment}${status}`)}`,
  ),
];

/** Each kind is read along an index of its own; one that is of two kinds is listed once. */
const LIST_STUCK = `SELECT * FROM (${[...stuckOf('live'), ...stuckOf('test')]
  .map(
    (kind) =>
      `(SELECT ${OPS_PAYMENT_COLUMNS} FROM payments WHERE ${kind} ORDER BY ${SINCE} LIMIT :rows)`,
  )
  .join(' UNION ')}) AS stuck
  ORDER BY environment, coalesce("heldSince", "updatedAt") LIMIT :rows`;

/**
 * Payments that wait for a human, contradict the bank, or have not moved since the moment given for
 * their status: at most `limit`, and whether there are more. Live ones first, then the longest waiting.
 */
export async function listStuckPayments(
  tx: SystemTransaction,
  quietSince: Readonly<Record<Environment, Readonly<Record<'PROCESSING' | 'SENT', Date>>>>,
  limit: number,
): Promise<{ readonly payments: readonly OpsPayment[]; readonly hasMore: boolean }> {
  const rows = await tx.query<OpsPayment>(LIST_STUCK, {
    livePROCESSING: quietSince.live.PROCESSING,
    liveSENT: quietSince.live.SENT,
    testPROCESSING: quietSince.test.PROCESSING,
    testSENT: quietSince.test.SENT,
    rows: limit + 1,
  });
  return { payments: rows.slice(0, limit), hasMore: rows.length > limit };
}

export interface OpsHistoryRow {
  readonly version: number;
  readonly status: string;
  readonly statusDetail: string;
  readonly actor: string;
  readonly at: Date;
}

export async function readHistoryForOps(
  tx: SystemTransaction,
  id: string,
): Promise<OpsHistoryRow[]> {
  return tx.query<OpsHistoryRow>(
    `SELECT version, status, status_detail AS "statusDetail", actor, at
     FROM payment_history WHERE payment_id = $1 ORDER BY version`,
    [id],
  );
}

export interface OpsAttempt {
  readonly reference: string;
  readonly phase: string;
  readonly sends: number;
  readonly lastAnswer: string | null;
  /** Why the bank rejected or returned it, as the bank wrote it; null where it gave no reason. */
  readonly reason: string | null;
  /** What keeps it from being sent after a restore; null where it was sent since, also by an older worker. */
  readonly heldBy: string | null;
  readonly bankReference: string | null;
  readonly nextAskAt: Date | null;
}

export async function readAttemptsForOps(tx: SystemTransaction, id: string): Promise<OpsAttempt[]> {
  return tx.query<OpsAttempt>(
    `SELECT reference, phase, sends, last_answer AS "lastAnswer", reason,
       CASE WHEN phase = 'UNKNOWN' AND is_restored THEN held_by END AS "heldBy",
       bank_reference AS "bankReference", next_ask_at AS "nextAskAt"
     FROM settlement_attempts WHERE payment_id = $1 ORDER BY number`,
    [id],
  );
}
