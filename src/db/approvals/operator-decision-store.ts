import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction, SystemTransaction } from '../client/database.ts';

/** What an operator decided about one payment, and why. */
interface OperatorDecision {
  readonly id: string;
  readonly paymentId: string;
  readonly action: 'RETRY';
  readonly operator: string;
  readonly reason: string;
}

/** Writes a decision down before anything acts on it. Rows are never changed. */
export async function insertOperatorDecision(
  tx: SystemTransaction,
  scope: Scope,
  decision: OperatorDecision,
  at: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO operator_decisions
       (id, customer_id, environment, payment_id, action, operator, reason, decided_at)
     VALUES (:id, :customerId, :environment, :paymentId, :action, :operator, :reason, :at)`,
    { ...decision, ...scope, at },
  );
}

/** A decision of the scope; null where there is none of that id. */
export async function findOperatorDecision(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
): Promise<OperatorDecision | null> {
  const rows = await tx.query<OperatorDecision>(
    `SELECT id, payment_id AS "paymentId", action, operator, reason FROM operator_decisions
     WHERE customer_id = $1 AND environment = $2 AND id = $3`,
    [scope.customerId, scope.environment, id],
  );
  return rows[0] ?? null;
}

/** Marks a decision as acted upon; false where it was before. */
export async function useOperatorDecision(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
  at: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO operator_decision_uses (decision_id, customer_id, environment, used_at)
     VALUES ($1, $2, $3, $4) ON CONFLICT (decision_id) DO NOTHING RETURNING decision_id`,
    [id, scope.customerId, scope.environment, at],
  );
  return rows.length > 0;
}
