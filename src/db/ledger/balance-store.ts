import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';

/** What a customer has in one currency, in minor units. */
export interface BalanceRow {
  readonly currency: string;
  readonly available: bigint;
  readonly reserved: bigint;
  readonly pending: bigint;
  /** What the customer owes us; zero or less. */
  readonly receivable: bigint;
}

/** All balances of a scope by currency; there are no more of them than currencies. */
export async function listBalances(tx: ScopedTransaction, scope: Scope): Promise<BalanceRow[]> {
  return tx.query<BalanceRow>(
    `SELECT currency, available, reserved, pending, receivable FROM balances
     WHERE customer_id = $1 AND environment = $2 ORDER BY currency`,
    [scope.customerId, scope.environment],
  );
}

/** What a customer can pay out now, in minor units by currency; where it has no balance there is no entry. */
export async function readAvailable(
  tx: ScopedTransaction,
  scope: Scope,
  currencies: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await tx.query<{ currency: string; available: bigint }>(
    `SELECT currency, available FROM balances
     WHERE customer_id = $1 AND environment = $2 AND currency = ANY ($3)`,
    [scope.customerId, scope.environment, [...new Set(currencies)]],
  );
  return new Map(rows.map(({ currency, available }) => [currency, available]));
}

/** Opens a customer's balance in a currency with nothing in it, where there is none. */
export async function openBalance(
  tx: ScopedTransaction,
  scope: Scope,
  currency: string,
): Promise<void> {
  await tx.query(
    `INSERT INTO balances (customer_id, environment, currency) VALUES ($1, $2, $3)
     ON CONFLICT DO NOTHING`,
    [scope.customerId, scope.environment, currency],
  );
}

/** What is available in a currency, with the row kept from others; null where there is no balance. */
export async function lockAvailable(
  tx: ScopedTransaction,
  scope: Scope,
  currency: string,
): Promise<bigint | null> {
  const rows = await tx.query<{ available: bigint }>(
    `SELECT available FROM balances
     WHERE customer_id = $1 AND environment = $2 AND currency = $3 FOR UPDATE`,
    [scope.customerId, scope.environment, currency],
  );
  return rows[0]?.available ?? null;
}
