import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction, SystemTransaction } from '../client/database.ts';
import { rowSource } from '../client/row-source.ts';

/** What stands in the way of erasing an end-user, as far as rows tell. */
export interface ErasureFacts {
  /** Payments that may still change where their money is, and items of batches that may become such. */
  readonly openPayments: bigint;
  /** When the last of the others became final; null where there are none. */
  readonly lastFinalAt: Date | null;
  /**
   * Until when answers are bound to keys with a plain hash of the request: they do not say whose they are.
   * Null where there are none left.
   */
  readonly olderAnswersUntil: Date | null;
}

/** Reads what an erasure is judged by. The end-user's row is locked, and they are closed. */
export async function readErasureFacts(
  tx: ScopedTransaction,
  scope: Scope,
  endUserId: string,
  now: Date,
): Promise<ErasureFacts> {
  const [facts] = await tx.query<ErasureFacts>(
    `SELECT count(*) FILTER (WHERE finality <> 'FINAL')
         + (SELECT count(*) FROM payment_batch_items
            WHERE customer_id = :customerId AND environment = :environment
              AND end_user_id = :endUserId AND state = 'PENDING') AS "openPayments",
       max(coalesce(final_at, updated_at)) FILTER (WHERE finality = 'FINAL') AS "lastFinalAt",
       (SELECT max(expires_at) FROM idempotency_keys
        WHERE customer_id = :customerId AND environment = :environment
          AND expires_at > :now AND fingerprint IS NOT NULL) AS "olderAnswersUntil"
     FROM payments
     WHERE customer_id = :customerId AND environment = :environment AND end_user_id = :endUserId`,
    { ...scope, endUserId, now },
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

/** A key of a payment, and the plain hash of its request. */
interface OlderKey {
  readonly key: string;
  readonly fingerprint: Buffer;
}

/** Keys of an end-user's payments with a plain hash of their request, at most `limit`. */
export async function listOlderKeys(
  tx: ScopedTransaction,
  scope: Scope,
  endUserId: string,
  limit: number,
): Promise<OlderKey[]> {
  return tx.query<OlderKey>(
    `SELECT i.key, i.fingerprint FROM payments p
       JOIN idempotency_keys i ON i.customer_id = p.customer_id
         AND i.environment = p.environment AND i.key = p.idempotency_key
     WHERE p.customer_id = :customerId AND p.environment = :environment
       AND p.end_user_id = :endUserId AND i.fingerprint IS NOT NULL
     LIMIT :limit`,
    { ...scope, endUserId, limit },
  );
}

const KEYS = rowSource('known', { key: 'text', requestMac: 'bytea' });

/** Forgets the answers of payments' keys; the keys stay bound to their requests and payments. */
export async function blankOlderKeys(
  tx: ScopedTransaction,
  scope: Scope,
  endUserId: string,
  keys: readonly { readonly key: string; readonly requestMac: Buffer }[],
): Promise<void> {
  await tx.query(
    `UPDATE idempotency_keys i SET fingerprint = NULL, request_mac = known.request_mac,
       response = '', end_user_id = :endUserId, resource_id = p.id
     FROM ${KEYS.sql} JOIN payments p ON p.idempotency_key = known.key
       AND p.customer_id = :customerId AND p.environment = :environment
     WHERE i.customer_id = :customerId AND i.environment = :environment AND i.key = known.key`,
    { ...scope, endUserId, ...KEYS.values(keys) },
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
