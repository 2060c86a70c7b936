import type { Environment, Scope } from '../../domain/scope.ts';
import type { ScopedTransaction, SystemTransaction } from '../client/database.ts';

export type LateReturnDecision = 'CREDIT' | 'KEEP';

/** Of a final payment the bank says, or a statement shows, that its money came back. */
export interface LateReturnRow {
  readonly paymentId: string;
  readonly customerId: string;
  readonly environment: Environment;
  /** The bank's code; null where it gave none, or prose. */
  readonly reason: string | null;
  readonly toldAt: Date;
  readonly currency: string | null;
  /** Minor units in suspense; null while no statement shows them. */
  readonly amount: bigint | null;
  readonly shownAt: Date | null;
  /** The exception of a later line about the same payment. */
  readonly contradictedBy: string | null;
  readonly decision: LateReturnDecision | null;
}

const COLUMNS = `payment_id AS "paymentId", customer_id AS "customerId", environment, reason,
  told_at AS "toldAt", currency, amount, shown_at AS "shownAt",
  contradicted_by AS "contradictedBy", decision`;

/** Writes down that the bank says so; known already, it stays as it was. */
export async function insertLateReturn(
  tx: ScopedTransaction,
  scope: Scope,
  paymentId: string,
  reason: string | null,
  at: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO late_returns (payment_id, customer_id, environment, reason, told_at)
     VALUES (:paymentId, :customerId, :environment, :reason, :at) ON CONFLICT DO NOTHING`,
    { paymentId, ...scope, reason, at },
  );
}

/** Writes down what a statement shows, once: false where one has shown it before. */
export async function showLateReturn(
  tx: ScopedTransaction,
  scope: Scope,
  shown: {
    readonly paymentId: string;
    readonly reason: string | null;
    readonly currency: string;
    readonly amount: bigint;
  },
  at: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO late_returns AS l (payment_id, customer_id, environment, reason, told_at, currency,
       amount, shown_at)
     VALUES (:paymentId, :customerId, :environment, :reason, :at, :currency, :amount, :at)
     ON CONFLICT (payment_id) DO UPDATE SET currency = excluded.currency, amount = excluded.amount,
       shown_at = excluded.shown_at, reason = coalesce(l.reason, excluded.reason)
       WHERE l.amount IS NULL
     RETURNING l.payment_id`,
    { ...shown, ...scope, at },
  );
  return rows.length > 0;
}

/** Another line does not go with what is undecided; false where there is none, or that is known. */
export async function contradictLateReturn(
  tx: ScopedTransaction,
  scope: Scope,
  paymentId: string,
  exception: string,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE late_returns SET contradicted_by = :exception
     WHERE customer_id = :customerId AND environment = :environment AND payment_id = :paymentId
       AND amount IS NOT NULL AND decision IS NULL AND contradicted_by IS NULL
     RETURNING payment_id`,
    { ...scope, paymentId, exception },
  );
  return rows.length > 0;
}

/** One of whichever customer; null where there is none. For operators. */
export async function findLateReturn(
  tx: SystemTransaction,
  paymentId: string,
): Promise<LateReturnRow | null> {
  const rows = await tx.query<LateReturnRow>(
    `SELECT ${COLUMNS} FROM late_returns WHERE payment_id = $1`,
    [paymentId],
  );
  return rows[0] ?? null;
}

/** The same, held until the transaction ends; the payment is locked. */
export async function lockLateReturn(
  tx: ScopedTransaction,
  scope: Scope,
  paymentId: string,
): Promise<LateReturnRow | null> {
  const rows = await tx.query<LateReturnRow>(
    `SELECT ${COLUMNS} FROM late_returns
     WHERE customer_id = $1 AND environment = $2 AND payment_id = $3 FOR UPDATE`,
    [scope.customerId, scope.environment, paymentId],
  );
  return rows[0] ?? null;
}

/** Writes what two operators decided. The database refuses it without their approval in use. */
export async function decideLateReturn(
  tx: ScopedTransaction,
  scope: Scope,
  paymentId: string,
  decided: {
    readonly decision: LateReturnDecision;
    readonly approvalId: string;
    readonly at: Date;
  },
): Promise<void> {
  await tx.query(
    `UPDATE late_returns SET decision = :decision, decided_at = :at, approval_id = :approvalId
     WHERE customer_id = :customerId AND environment = :environment AND payment_id = :paymentId`,
    { ...scope, paymentId, ...decided },
  );
}

/** Those that wait for a decision, the oldest first. */
export async function listUndecidedLateReturns(
  tx: SystemTransaction,
  limit: number,
): Promise<LateReturnRow[]> {
  return tx.query<LateReturnRow>(
    `SELECT ${COLUMNS} FROM late_returns WHERE decision IS NULL
     ORDER BY told_at, payment_id LIMIT $1`,
    [limit],
  );
}

/** Those without an alarm, locked: of two runs one raises it. */
export async function lockLateReturnsToAlarm(
  tx: SystemTransaction,
  environment: Environment,
  limit: number,
): Promise<{ readonly paymentId: string }[]> {
  return tx.query(
    `SELECT payment_id AS "paymentId" FROM late_returns
     WHERE environment = $1 AND alarmed_at IS NULL
     ORDER BY told_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
    [environment, limit],
  );
}

export async function markLateReturnsAlarmed(
  tx: SystemTransaction,
  paymentIds: readonly string[],
  at: Date,
): Promise<void> {
  await tx.query('UPDATE late_returns SET alarmed_at = $2 WHERE payment_id = ANY ($1)', [
    [...paymentIds],
    at,
  ]);
}
