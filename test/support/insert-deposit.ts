import {
  insertDeposits,
  lockDeposit,
  type DepositRow,
  type NewDeposit,
} from '../../src/db/onchain/deposit-store.ts';
import type { ScopedTransaction } from '../../src/db/client/database.ts';
import type { Scope } from '../../src/domain/scope.ts';

/** Stores one deposit, SEEN. `isNew` is false where it is stored already; then its row is answered as it is. */
export async function insertDeposit(
  tx: ScopedTransaction,
  scope: Scope,
  deposit: NewDeposit,
  at: Date,
): Promise<{ readonly row: DepositRow; readonly isNew: boolean }> {
  const [added] = await insertDeposits(tx, scope, [deposit], at);
  if (added !== undefined) return { row: added, isNew: true };
  const { txHash, ordinal, from, to, amount } = deposit;
  const [known] = await tx.query<{ id: string }>(
    `SELECT id FROM deposits WHERE environment = :environment AND tx_hash = :txHash AND ordinal = :ordinal
       AND from_address = :from AND to_address = :to AND amount = :amount`,
    { environment: scope.environment, txHash, ordinal, from, to, amount },
  );
  const row = await lockDeposit(tx, scope, known?.id ?? '');
  if (row === null) throw new Error('a deposit is neither new nor known');
  return { row, isNew: false };
}
