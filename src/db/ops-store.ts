import type { Environment } from '../domain/scope.ts';
import type { SystemTransaction } from './database.ts';

/** A payment as an operator sees it: ids and states, nothing personal. */
export interface OpsPayment {
  readonly id: string;
  readonly customerId: string;
  readonly environment: Environment;
  readonly workflowId: string;
  readonly status: string;
  readonly statusDetail: string;
  readonly fundsStatus: string;
  readonly reconciliationStatus: string;
  readonly rail: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly version: number;
  readonly heldSince: Date | null;
  readonly updatedAt: Date;
}

export const OPS_PAYMENT_COLUMNS = `id, customer_id AS "customerId", environment, workflow_id AS "workflowId", status,
  status_detail AS "statusDetail", funds_status AS "fundsStatus",
  reconciliation_status AS "reconciliationStatus", rail, currency, amount, version,
  held_since AS "heldSince", updated_at AS "updatedAt"`;

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

/**
 * Payments that wait for a human, contradict the bank, or have not moved since the moment given for
 * their status. Live ones first, then the longest waiting.
 */
export async function listStuckPayments(
  tx: SystemTransaction,
  quietSince: Readonly<Record<Environment, Readonly<Record<'PROCESSING' | 'SENT', Date>>>>,
  limit: number,
): Promise<OpsPayment[]> {
  return tx.query<OpsPayment>(
    `SELECT ${OPS_PAYMENT_COLUMNS} FROM payments
     WHERE status = 'ON_HOLD' OR reconciliation_status = 'EXCEPTION'
       OR updated_at < CASE environment || '/' || status
         WHEN 'live/PROCESSING' THEN $1::timestamptz WHEN 'live/SENT' THEN $2
         WHEN 'test/PROCESSING' THEN $3 WHEN 'test/SENT' THEN $4 END
     ORDER BY environment, coalesce(held_since, updated_at) LIMIT $5`,
    [
      quietSince.live.PROCESSING,
      quietSince.live.SENT,
      quietSince.test.PROCESSING,
      quietSince.test.SENT,
      limit,
    ],
  );
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
  readonly bankReference: string | null;
  readonly nextAskAt: Date | null;
}

export async function readAttemptsForOps(tx: SystemTransaction, id: string): Promise<OpsAttempt[]> {
  return tx.query<OpsAttempt>(
    `SELECT reference, phase, sends, last_answer AS "lastAnswer", bank_reference AS "bankReference",
       next_ask_at AS "nextAskAt"
     FROM settlement_attempts WHERE payment_id = $1 ORDER BY number`,
    [id],
  );
}
