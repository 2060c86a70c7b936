import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction, SystemTransaction } from '../client/database.ts';

/** What stands in the way of erasing an end-user, as far as rows tell. */
export interface ErasureFacts {
  /** Payments that may still change where their money is, and items of batches that may become such. */
  readonly openPayments: bigint;
  /** When the last of the others became final; null where there are none. */
  readonly lastFinalAt: Date | null;
}

/** Reads what an erasure is judged by. The end-user's row is locked, and they are closed. */
export async function readErasureFacts(
  tx: ScopedTransaction,
  scope: Scope,
  endUserId: string,
): Promise<ErasureFacts> {
  const [facts] = await tx.query<ErasureFacts>(
    `SELECT count(*) FILTER (WHERE finality <> 'FINAL')
         + (SELECT count(*) FROM payment_batch_items
            WHERE customer_id = :customerId AND environment = :environment
              AND end_user_id = :endUserId AND state = 'PENDING') AS "openPayments",
       max(coalesce(final_at, updated_at)) FILTER (WHERE finality = 'FINAL') AS "lastFinalAt"
     FROM payments
     WHERE customer_id = :customerId AND environment = :environment AND end_user_id = :endUserId`,
    { ...scope, endUserId },
  );
  if (facts === undefined) throw new Error('a count answers one row');
  return facts;
}

/** Destroys the key of an end-user. The database refuses that one ever comes back. */
export async function destroyOwnerKey(
  tx: ScopedTransaction,
  scope: Scope,
  endUserId: string,
  at: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO end_user_keys (customer_id, environment, end_user_id, wrapped_key, erased_at)
     VALUES (:customerId, :environment, :endUserId, NULL, :at)
     ON CONFLICT (end_user_id) DO UPDATE SET wrapped_key = NULL, erased_at = excluded.erased_at`,
    { ...scope, endUserId, at },
  );
}

/** Who was erased, and when. */
export interface Erasure extends Scope {
  readonly endUserId: string;
  readonly erasedAt: Date;
}

/** Erasures since a moment, oldest first, at most `limit`, after the one given. */
export async function listErasures(
  tx: SystemTransaction,
  after: { readonly erasedAt: Date; readonly endUserId: string },
  limit: number,
): Promise<Erasure[]> {
  return tx.query<Erasure>(
    `SELECT customer_id AS "customerId", environment, end_user_id AS "endUserId",
       erased_at AS "erasedAt"
     FROM end_user_keys
     WHERE erased_at IS NOT NULL AND (erased_at, end_user_id) > (:erasedAt, :endUserId)
     ORDER BY erased_at, end_user_id LIMIT :limit`,
    { ...after, limit },
  );
}
