import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction, SystemTransaction } from '../client/database.ts';

/** A deposit that a partner asks the sandbox bank for. */
interface SandboxDepositRow {
  readonly id: string;
  readonly currency: string;
  /** Minor units. */
  readonly amount: bigint;
  readonly reference: string;
}

export async function insertSandboxDeposit(
  tx: ScopedTransaction,
  scope: Scope,
  deposit: SandboxDepositRow & { readonly at: Date },
): Promise<void> {
  await tx.query(
    `INSERT INTO sandbox_deposits
       (id, customer_id, environment, currency, amount, reference, created_at)
     VALUES (:id, :customerId, :environment, :currency, :amount, :reference, :at)`,
    { ...scope, ...deposit },
  );
}

/** What of a currency the bank has not been told of, minor units. */
export async function sumWaitingDeposits(
  tx: ScopedTransaction,
  scope: Scope,
  currency: string,
): Promise<bigint> {
  const [row] = await tx.query<{ sum: string }>(
    `SELECT coalesce(sum(amount), 0)::text AS sum FROM sandbox_deposits
     WHERE outcome IS NULL AND customer_id = $1 AND environment = $2 AND currency = $3`,
    [scope.customerId, scope.environment, currency],
  );
  return BigInt(row?.sum ?? 0);
}

/** Deposits that the bank has not been told of, oldest first. System role only. */
export async function listWaitingDeposits(
  tx: SystemTransaction,
  limit: number,
): Promise<SandboxDepositRow[]> {
  return tx.query<SandboxDepositRow>(
    `SELECT id, currency, amount, reference FROM sandbox_deposits
     WHERE outcome IS NULL ORDER BY seq LIMIT $1`,
    [limit],
  );
}

/** Marks a deposit as handed on; one that was marked before stays as it is. */
export async function markDepositHandedOn(
  tx: SystemTransaction,
  id: string,
  outcome: 'TAKEN' | 'REFUSED',
  at: Date,
): Promise<void> {
  await tx.query(
    `UPDATE sandbox_deposits SET outcome = $2, handed_on_at = $3 WHERE id = $1 AND outcome IS NULL`,
    [id, outcome, at],
  );
}
