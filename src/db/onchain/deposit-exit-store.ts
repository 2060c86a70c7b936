import type { ChainPlace } from '../../domain/onchain/network.ts';
import type { PaymentStatus } from '../../domain/payments/payment-states.ts';
import type { Scope } from '../../domain/scope.ts';
import type { DepositRef } from '../../domain/workflows/work-refs.ts';
import type { ScopedTransaction, SystemTransaction } from '../client/database.ts';
import type { DepositOnward } from './deposit-store.ts';

/** Of a deposit `d`: it is final, and its network does not stand still. */
const IS_JUDGED_NOW = `d.status = 'FINAL' AND NOT EXISTS (SELECT FROM chain_stops s
  WHERE s.environment = d.environment AND s.network = d.network AND s.lifted_at IS NULL)`;

/** Final deposits of a network that are due to be paid on, oldest first; none while it is stopped. */
export function readDueDepositsOf(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  limit: number,
): Promise<DepositRef[]> {
  return tx.query<DepositRef>(
    `SELECT o.customer_id AS "customerId", o.environment, o.deposit_id AS "depositId"
     FROM deposit_onward o JOIN deposits d ON d.id = o.deposit_id
     WHERE o.status = 'DUE' AND o.environment = $1 AND d.network = $2 AND ${IS_JUDGED_NOW}
     ORDER BY o.created_at, o.deposit_id LIMIT $3`,
    [environment, network, limit],
  );
}

/** Final deposits after `afterId` that are due since `until` to be paid on, by id; not those of a stopped network. */
export function readDueDeposits(
  tx: SystemTransaction,
  until: Date,
  afterId: string,
  limit: number,
): Promise<DepositRef[]> {
  return tx.query<DepositRef>(
    `SELECT o.customer_id AS "customerId", o.environment, o.deposit_id AS "depositId"
     FROM deposit_onward o JOIN deposits d ON d.id = o.deposit_id
     WHERE o.status = 'DUE' AND o.created_at <= $1 AND o.deposit_id > $2 AND ${IS_JUDGED_NOW}
     ORDER BY o.deposit_id LIMIT $3`,
    [until, afterId, limit],
  );
}

/** Whether a deposit is final, and it is not judged yet what becomes of it. The caller holds the deposit's lock. */
export async function isOnwardDue(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  depositId: string,
): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM deposit_onward o JOIN deposits d ON d.id = o.deposit_id
     WHERE o.customer_id = $1 AND o.environment = $2 AND o.deposit_id = $3 AND o.status = 'DUE'
       AND ${IS_JUDGED_NOW}`,
    [customerId, environment, depositId],
  );
  return rows.length > 0;
}

/**
 * Writes what became of a deposit that was due. The caller holds its lock. The database refuses a second time,
 * and a payment that is not the one that the deposit's address asks for.
 */
export async function writeOnward(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  depositId: string,
  { paymentId, code }: DepositOnward,
  at: Date,
): Promise<void> {
  const rows = await tx.query(
    `UPDATE deposit_onward SET status = CASE WHEN :paymentId::text IS NULL THEN 'REFUSED' ELSE 'PAID' END,
       payment_id = :paymentId, refused_code = :code, updated_at = :at
     WHERE customer_id = :customerId AND environment = :environment AND deposit_id = :depositId
     RETURNING 1 AS one`,
    { customerId, environment, depositId, paymentId, code, at },
  );
  if (rows.length === 0) throw new Error(`deposit ${depositId} is not one that is paid on`);
}

/** Minor units of a deposit that are in the balance, neither paid on nor refunded. The caller holds its lock. */
export async function readDepositLeft(tx: ScopedTransaction, depositId: string): Promise<bigint> {
  const [row] = await tx.query<{ left: bigint | null }>('SELECT deposit_left($1) AS left', [
    depositId,
  ]);
  return row?.left ?? 0n;
}

/** Writes that a payment gives a deposit back. Refused by the database where so much of it is not left. */
export async function insertDepositRefund(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  refund: { readonly depositId: string; readonly paymentId: string },
  at: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO deposit_refunds (payment_id, deposit_id, customer_id, environment, created_at)
     VALUES (:paymentId, :depositId, :customerId, :environment, :at)`,
    { customerId, environment, ...refund, at },
  );
}

/** A payment that a deposit left by. */
export interface DepositExit {
  readonly paymentId: string;
  readonly kind: 'PAID_ON' | 'REFUND';
  readonly status: PaymentStatus;
  /** Minor units of what arrives. */
  readonly amount: bigint;
  readonly currency: string;
}

/** What a deposit was paid on or refunded by, newest first. */
export function listDepositExits(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  depositId: string,
  limit: number,
): Promise<DepositExit[]> {
  return tx.query<DepositExit>(
    `SELECT p.id AS "paymentId", e.kind, p.status, p.amount, p.currency
     FROM (
       SELECT o.payment_id, CASE WHEN d.payment_id IS NULL THEN 'PAID_ON' ELSE 'REFUND' END AS kind
       FROM deposit_onward o JOIN deposits d ON d.id = o.deposit_id WHERE o.deposit_id = :depositId
       UNION
       SELECT payment_id, 'REFUND' FROM deposit_refunds WHERE deposit_id = :depositId) AS e
     JOIN payments p ON p.id = e.payment_id
     WHERE p.customer_id = :customerId AND p.environment = :environment
     ORDER BY p.seq DESC LIMIT :limit`,
    { customerId, environment, depositId, limit },
  );
}

/** The deposit that a payment pays on or refunds; null where it does neither. */
export async function findDepositOfExit(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  paymentId: string,
): Promise<string | null> {
  const rows = await tx.query<{ id: string }>(
    `SELECT deposit_id AS id FROM deposit_onward
     WHERE customer_id = :customerId AND environment = :environment AND payment_id = :paymentId
     UNION ALL
     SELECT deposit_id FROM deposit_refunds
     WHERE customer_id = :customerId AND environment = :environment AND payment_id = :paymentId`,
    { customerId, environment, paymentId },
  );
  return rows[0]?.id ?? null;
}
