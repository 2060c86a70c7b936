import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction, SystemTransaction } from '../client/database.ts';
import { ownerKeyOf } from '../parties/end-user-key-store.ts';

/** What was answered to the first request with a key; of a closed key, that it is closed. */
export interface StoredAnswer extends BoundAnswer {
  /** No request is ever answered under the key. The other fields say nothing then. */
  readonly closed: boolean;
  /** See `KeyOwner`. */
  readonly ownerKey: Buffer | null;
}

/** The row name that binds a sealed response to its key. */
export function idempotencyRow(scope: Scope, key: string): string {
  return `idempotency_keys/${scope.customerId}/${scope.environment}/${key}`;
}

/**
 * Takes keys for this transaction; answers for each whether it got it: false while another request with
 * the key is still running. A statement of its own: the look-up behind it needs a snapshot that was
 * taken under the locks.
 */
export async function tryLockKeys(
  tx: ScopedTransaction,
  scope: Scope,
  keys: readonly string[],
): Promise<boolean[]> {
  const rows = await tx.query<{ isLocked: boolean }>(
    `SELECT pg_try_advisory_xact_lock(
         hashtextextended('idempotency:' || $1 || ':' || $2 || ':' || key, 0)) AS "isLocked"
     FROM unnest($3::text[]) WITH ORDINALITY AS k (key, turn) ORDER BY turn`,
    [scope.customerId, scope.environment, [...keys]],
  );
  return rows.map(({ isLocked }) => isLocked);
}

/** What keys are bound to, by key; nothing for a key that is new or whose time is over. */
export async function findAnswers(
  tx: ScopedTransaction,
  scope: Scope,
  keys: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, StoredAnswer>> {
  const rows = await tx.query<StoredAnswer>(
    `SELECT key, closed, request_mac AS "requestMac", status_code AS "statusCode", response,
       end_user_id AS "endUserId", resource_id AS "resourceId",
       ${ownerKeyOf('idempotency_keys.end_user_id')}
     FROM idempotency_keys
     WHERE customer_id = $1 AND environment = $2 AND key = ANY ($3)
       AND (expires_at IS NULL OR expires_at > $4)`,
    [scope.customerId, scope.environment, [...keys], now],
  );
  return new Map(rows.map((row) => [row.key, row]));
}

/** An answer with the key that it is bound to. */
export interface BoundAnswer {
  readonly key: string;
  /** Keyed hash of the request's fingerprint. */
  readonly requestMac: Buffer;
  readonly statusCode: number;
  /** Sealed for `idempotencyRow`, under the end-user's key where it is about one. */
  readonly response: Buffer;
  readonly endUserId: string | null;
  /** What it is about; null where nothing of it is an end-user's. */
  readonly resourceId: string | null;
}

interface AnswerToStore extends BoundAnswer {
  readonly at: Date;
  /** Null binds the key for ever. */
  readonly expiresAt: Date | null;
}

/** For ON CONFLICT: everything that a key whose time is over is bound anew to. */
export const REBIND_KEY = `request_mac = excluded.request_mac,
  status_code = excluded.status_code, response = excluded.response,
  end_user_id = excluded.end_user_id, resource_id = excluded.resource_id,
  created_at = excluded.created_at, expires_at = excluded.expires_at`;

/** Binds a key to its answer. The caller holds the key's lock and found no answer. */
export async function storeAnswer(
  tx: ScopedTransaction,
  scope: Scope,
  answer: AnswerToStore,
): Promise<void> {
  await tx.query(
    `INSERT INTO idempotency_keys (customer_id, environment, key, request_mac, status_code,
       response, end_user_id, resource_id, created_at, expires_at)
     VALUES (:customerId, :environment, :key, :requestMac, :statusCode, :response, :endUserId,
       :resourceId, :at, :expiresAt)
     ON CONFLICT (customer_id, environment, key) DO UPDATE SET ${REBIND_KEY}
       WHERE idempotency_keys.expires_at <= excluded.created_at`,
    {
      customerId: scope.customerId,
      environment: scope.environment,
      key: answer.key,
      requestMac: answer.requestMac,
      statusCode: answer.statusCode,
      response: answer.response,
      endUserId: answer.endUserId,
      resourceId: answer.resourceId,
      at: answer.at,
      expiresAt: answer.expiresAt,
    },
  );
}

/**
 * Closes a key for ever: it is bound to no request. The caller holds the key's lock and found nothing that it is bound
 * to. Throws where it is bound all the same.
 */
export async function storeClosedKey(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  key: string,
  at: Date,
): Promise<void> {
  const closed = await tx.query(
    `INSERT INTO idempotency_keys (customer_id, environment, key, request_mac, status_code, response,
       created_at, closed)
     VALUES (:customerId, :environment, :key, '', 409, '', :at, true)
     ON CONFLICT (customer_id, environment, key) DO UPDATE SET ${REBIND_KEY}, closed = true
       WHERE idempotency_keys.expires_at <= excluded.created_at
     RETURNING key`,
    { customerId, environment, key, at },
  );
  if (closed.length !== 1) throw new Error('a key that was free could not be closed');
}

/**
 * Forgets keys whose time is over, at most `limit` of them, and answers how many they were. A payment's
 * key and a closed one have no such time; one that another request is binding anew meanwhile stays.
 */
export async function deleteExpiredKeys(
  tx: SystemTransaction,
  now: Date,
  limit: number,
): Promise<number> {
  const deleted = await tx.query(
    `DELETE FROM idempotency_keys WHERE expires_at <= $1
       AND (customer_id, environment, key) IN (
         SELECT customer_id, environment, key FROM idempotency_keys
         WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)
     RETURNING key`,
    [now, limit],
  );
  return deleted.length;
}
