import type { Environment } from '../../domain/scope.ts';
import type { SystemTransaction } from '../client/database.ts';
import { OPS_PAYMENT_COLUMNS, type OpsPayment } from '../operations/ops-store.ts';

/** Which held payments are meant. Null means all. */
export interface HeldFilter {
  readonly detail: string;
  readonly environment: Environment | null;
  readonly customerId: string | null;
}

const IS_MEANT = `status = 'ON_HOLD' AND status_detail = :detail
  AND (:environment::text IS NULL OR environment = :environment)
  AND (:customerId::text IS NULL OR customer_id = :customerId)`;

export async function countHeldPayments(
  tx: SystemTransaction,
  filter: HeldFilter,
): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM payments WHERE ${IS_MEANT}`,
    { ...filter },
  );
  return rows[0]?.count ?? 0;
}

/** Held payments after `afterId`, by id. */
export async function listHeldPayments(
  tx: SystemTransaction,
  filter: HeldFilter,
  afterId: string,
  limit: number,
): Promise<OpsPayment[]> {
  return tx.query<OpsPayment>(
    `SELECT ${OPS_PAYMENT_COLUMNS} FROM payments WHERE ${IS_MEANT} AND id > :afterId
     ORDER BY id LIMIT :limit`,
    { ...filter, afterId, limit },
  );
}
