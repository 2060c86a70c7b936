import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';

/** One version of a payment as it was. */
export interface HistoryRow {
  readonly paymentId: string;
  readonly version: number;
  readonly status: string;
  readonly statusDetail: string;
  readonly fundsStatus: string;
  readonly reconciliationStatus: string;
  readonly at: Date;
}

/** The versions of several payments, oldest first. */
export async function readHistory(
  tx: ScopedTransaction,
  scope: Scope,
  paymentIds: readonly string[],
): Promise<HistoryRow[]> {
  return tx.query<HistoryRow>(
    `SELECT payment_id AS "paymentId", version, status, status_detail AS "statusDetail",
       funds_status AS "fundsStatus", reconciliation_status AS "reconciliationStatus", at
     FROM payment_history
     WHERE customer_id = $1 AND environment = $2 AND payment_id = ANY($3)
     ORDER BY payment_id, version`,
    [scope.customerId, scope.environment, [...paymentIds]],
  );
}
