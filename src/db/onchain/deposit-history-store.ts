import type {
  AppliedTo,
  DepositReason,
  DepositStatus,
} from '../../domain/onchain/deposits/deposit.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';

/** One version of a deposit as it was. */
export interface DepositHistoryRow {
  readonly version: number;
  readonly status: DepositStatus;
  readonly appliedTo: AppliedTo | null;
  readonly reason: DepositReason | null;
  /** Of the block that held it then. */
  readonly blockHash: string;
  readonly at: Date;
}

/** The newest versions of a deposit, oldest of them first. */
export async function readDepositHistory(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  depositId: string,
  limit: number,
): Promise<DepositHistoryRow[]> {
  const rows = await tx.query<DepositHistoryRow>(
    `SELECT version, status, applied_to AS "appliedTo", reason, block_hash AS "blockHash", at
     FROM deposit_history
     WHERE customer_id = :customerId AND environment = :environment AND deposit_id = :depositId
     ORDER BY version DESC LIMIT :limit`,
    { customerId, environment, depositId, limit },
  );
  return rows.reverse();
}
