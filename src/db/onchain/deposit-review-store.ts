import type { Network } from '../../domain/onchain/network.ts';
import type {
  BlockedDecision,
  DepositReview,
  DepositStatus,
} from '../../domain/onchain/deposits/deposit.ts';
import type { Environment, Scope } from '../../domain/scope.ts';
import type { AnyTransaction, ScopedTransaction, SystemTransaction } from '../client/database.ts';
import { MAY_BE_PAID_OUT } from '../operations/restore-mode-store.ts';

/** A deposit whose sender is to be looked at, or is on a list, as operators see it. */
export interface DepositReviewRow extends Scope {
  readonly id: string;
  readonly network: Network;
  readonly asset: string;
  /** Minor units. */
  readonly amount: bigint;
  readonly from: string;
  readonly txHash: string;
  readonly paymentId: string | null;
  readonly depositAddressId: string | null;
  readonly blockNumber: bigint;
  readonly status: DepositStatus;
  /** Null where a look-up found its sender on a list. */
  readonly review: DepositReview | null;
  readonly version: number;
  readonly createdAt: Date;
  /** What was decided, which the deposit may not show yet. */
  readonly outcome: 'RELEASED' | 'REFUSED' | null;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly reason: string | null;
  /**
   * Its payment is from before the end of a restore mode, and so is its block: it may have been paid out before the
   * restore.
   */
  readonly mayBePaidOut: boolean;
}

const COLUMNS = `d.id, d.customer_id AS "customerId", d.environment, d.network, d.asset, d.amount,
  d.from_address AS "from", d.tx_hash AS "txHash", d.payment_id AS "paymentId",
  d.deposit_address_id AS "depositAddressId", d.block_number AS "blockNumber", d.status, d.review, d.version,
  d.created_at AS "createdAt",
  c.outcome, c.decided_by AS "decidedBy", c.decided_at AS "decidedAt", c.reason,
  ${MAY_BE_PAID_OUT} AS "mayBePaidOut"`;
const FROM = `FROM deposits d LEFT JOIN deposit_decisions c ON c.deposit_id = d.id
  LEFT JOIN payments p ON p.id = d.payment_id`;

/** A deposit that is or was held or blocked for its sender; null where there is none. */
export async function findDepositReview(
  tx: SystemTransaction,
  id: string,
): Promise<DepositReviewRow | null> {
  const rows = await tx.query<DepositReviewRow>(
    `SELECT ${COLUMNS} ${FROM} WHERE d.id = $1 AND (d.review IS NOT NULL OR EXISTS (
       SELECT FROM deposit_history h WHERE h.deposit_id = d.id AND h.status = 'BLOCKED'))`,
    [id],
  );
  return rows[0] ?? null;
}

/** What two operators made of a deposit while it was blocked. */
export interface BlockedDecisionRow {
  readonly approvalId: string;
  readonly decision: BlockedDecision;
  readonly proposedBy: string;
  readonly decidedBy: string;
  readonly decidedAt: Date;
  readonly reason: string;
}

/**
 * All of these of a deposit, oldest first: one that was taken back and mined again may be blocked and decided again.
 */
export function listBlockedDecisions(
  tx: SystemTransaction,
  depositId: string,
): Promise<BlockedDecisionRow[]> {
  return tx.query<BlockedDecisionRow>(
    `SELECT a.id AS "approvalId", a.content ->> 'decision' AS decision, a.proposed_by AS "proposedBy",
       a.decided_by AS "decidedBy", a.decided_at AS "decidedAt", a.reason
     FROM approvals a JOIN approval_uses u ON u.approval_id = a.id
     WHERE a.action = 'BLOCKED_DEPOSIT' AND a.subject_id = $1 ORDER BY a.subject_version`,
    [depositId],
  );
}

/** Deposits whose sender is on a list, which wait for two operators, oldest first. */
export function listBlockedDeposits(
  tx: SystemTransaction,
  environment: Environment | null,
  limit: number,
): Promise<DepositReviewRow[]> {
  return tx.query<DepositReviewRow>(
    `SELECT ${COLUMNS} ${FROM}
     WHERE d.status = 'BLOCKED' AND (:environment::text IS NULL OR d.environment = :environment)
     ORDER BY d.seq LIMIT :limit`,
    { environment, limit },
  );
}

/** Deposits that wait for operators, oldest first. */
export function listHeldDeposits(
  tx: SystemTransaction,
  environment: Environment | null,
  limit: number,
): Promise<DepositReviewRow[]> {
  return tx.query<DepositReviewRow>(
    `SELECT ${COLUMNS} ${FROM}
     WHERE d.review = 'HELD' AND d.status = 'SEEN' AND c.outcome IS NULL
       AND (:environment::text IS NULL OR d.environment = :environment)
     ORDER BY d.seq LIMIT :limit`,
    { environment, limit },
  );
}

/** Deposits that were decided and do not show it, oldest first. */
export function listUnshownDecisions(
  tx: SystemTransaction,
  environment: Environment,
  limit: number,
): Promise<DepositReviewRow[]> {
  return tx.query<DepositReviewRow>(
    `SELECT ${COLUMNS} ${FROM}
     WHERE d.review = 'HELD' AND d.status = 'SEEN' AND c.outcome IS NOT NULL
       AND d.environment = :environment
     ORDER BY d.seq LIMIT :limit`,
    { environment, limit },
  );
}

/** What was decided of a deposit. */
interface DepositDecision {
  readonly outcome: 'RELEASED' | 'REFUSED';
  readonly actor: string;
  readonly at: Date;
  readonly reason: string;
}

/** Writes a decision; false where one was made before. The database guards who may make which. */
export async function insertDepositDecision(
  tx: AnyTransaction,
  { customerId, environment }: Scope,
  depositId: string,
  decision: DepositDecision,
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO deposit_decisions (deposit_id, customer_id, environment, outcome, decided_by,
       decided_at, reason)
     VALUES (:depositId, :customerId, :environment, :outcome, :actor, :at, :reason)
     ON CONFLICT (deposit_id) DO NOTHING RETURNING deposit_id`,
    { customerId, environment, depositId, ...decision },
  );
  return rows.length > 0;
}

/** Shows on a locked deposit what was decided; false where it shows it, or is not SEEN. */
export async function showDepositDecision(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  id: string,
  review: 'RELEASED' | 'REFUSED',
  at: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE deposits SET review = :review, version = version + 1, updated_at = :at
     WHERE customer_id = :customerId AND environment = :environment AND id = :id
       AND status = 'SEEN' AND review = 'HELD' RETURNING id`,
    { customerId, environment, id, review, at },
  );
  return rows.length > 0;
}
