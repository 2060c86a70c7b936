import type { Funding, FundingStatus } from '../../domain/onchain/deposits/apply-deposit.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';

/** What a payment waits for, as given when it was accepted. */
export interface NewFunding extends Omit<Funding, 'status' | 'isSpent'> {
  readonly paymentId: string;
  /** In EIP-55's case; this payment's alone. */
  readonly address: string;
  /** To which what the payment does not take is refunded; null: it stays in the balance. */
  readonly refundWalletId: string | null;
}

export interface FundingRow extends NewFunding {
  readonly status: FundingStatus;
  /** Since when its rails say that no database before a restore has paid it; null: they were not asked, or say otherwise. */
  readonly notPaidAt: Date | null;
}

/** Stores what a payment waits for. Its row may follow later in the transaction. */
export async function insertFunding(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  funding: NewFunding,
  at: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO payment_fundings (payment_id, customer_id, environment, network, asset, address,
       amount_due, expires_at, refund_wallet_id, created_at, updated_at)
     VALUES (:paymentId, :customerId, :environment, :network, :asset, :address, :amountDue,
       :expiresAt, :refundWalletId, :at, :at)`,
    { customerId, environment, ...funding, at },
  );
}

/** What a payment waits for, kept from others; null where it waits for nothing. The caller holds the payment's lock. */
export async function lockFunding(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  paymentId: string,
): Promise<FundingRow | null> {
  const rows = await tx.query<FundingRow>(
    `SELECT payment_id AS "paymentId", network, asset, address, amount_due AS "amountDue",
       expires_at AS "expiresAt", refund_wallet_id AS "refundWalletId", status,
       not_paid_at AS "notPaidAt"
     FROM payment_fundings
     WHERE customer_id = $1 AND environment = $2 AND payment_id = $3 FOR UPDATE`,
    [customerId, environment, paymentId],
  );
  return rows[0] ?? null;
}

/** Writes how far a payment's funding is. The caller holds its lock. */
export async function moveFunding(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  paymentId: string,
  status: FundingStatus,
  at: Date,
): Promise<void> {
  await tx.query(
    `UPDATE payment_fundings SET status = :status, updated_at = :at
     WHERE customer_id = :customerId AND environment = :environment AND payment_id = :paymentId`,
    { customerId, environment, paymentId, status, at },
  );
}

/** Keeps since when its rails say that it is not paid; null: they say so no more. The caller holds its lock. */
export async function keepNotPaid(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  paymentId: string,
  since: Date | null,
): Promise<void> {
  await tx.query(
    `UPDATE payment_fundings SET not_paid_at = :since
     WHERE customer_id = :customerId AND environment = :environment AND payment_id = :paymentId`,
    { customerId, environment, paymentId, since },
  );
}

/**
 * Writes what the payment's next version shows that deposits have brought, in minor units. The caller holds its
 * lock, and writes that version.
 */
export async function showReceived(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  paymentId: string,
  received: bigint,
  at: Date,
): Promise<void> {
  await tx.query(
    `UPDATE payment_fundings SET amount_received = :received, updated_at = :at
     WHERE customer_id = :customerId AND environment = :environment AND payment_id = :paymentId`,
    { customerId, environment, paymentId, received, at },
  );
}

/** Until the transaction ends, no one else who asks for it lets a payment of these end-users wait. */
export async function lockWaiting(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  endUserIds: readonly string[],
): Promise<void> {
  // In one order, so that two transactions that want the same ones do not wait for each other.
  for (const endUserId of [...new Set(endUserIds)].sort()) {
    await tx.query(
      `SELECT pg_advisory_xact_lock(
         hashtextextended('waiting-payments:' || $1 || ':' || $2 || ':' || $3, 0))`,
      [customerId, environment, endUserId],
    );
  }
}

/** How many payments of each of these end-users wait for a deposit, by end-user; none are left out. */
export async function countWaiting(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  endUserIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx.query<{ endUserId: string; count: bigint }>(
    `SELECT p.end_user_id AS "endUserId", count(*) AS count
     FROM payment_fundings f JOIN payments p ON p.id = f.payment_id
     WHERE f.customer_id = :customerId AND f.environment = :environment AND f.status = 'AWAITED'
       AND p.end_user_id = ANY (:endUserIds)
     GROUP BY p.end_user_id`,
    { customerId, environment, endUserIds: [...new Set(endUserIds)] },
  );
  return new Map(rows.map(({ endUserId, count }) => [endUserId, Number(count)]));
}
