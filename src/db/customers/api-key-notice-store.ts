import type { NoticeDays } from '../../domain/customers/keys/key-life.ts';
import type { Environment } from '../../domain/scope.ts';
import type { SystemTransaction } from '../client/database.ts';

/** A key whose end is near. */
export interface ExpiringKey {
  readonly id: string;
  readonly customerId: string;
  readonly environment: Environment;
  readonly name: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Keys that work, are not being replaced and end in the span, the earliest first, behind the one given. */
export async function listExpiringKeys(
  tx: SystemTransaction,
  span: { readonly from: Date; readonly to: Date },
  after: ExpiringKey | null,
  limit: number,
): Promise<ExpiringKey[]> {
  return tx.query<ExpiringKey>(
    `SELECT id, customer_id AS "customerId", environment, name, created_at AS "createdAt",
       expires_at AS "expiresAt"
     FROM api_keys
     WHERE revoked_at IS NULL AND replaced_by IS NULL AND expires_at > :from AND expires_at <= :to
       AND (:afterId::text IS NULL OR (expires_at, id) > (:afterEnd, :afterId))
     ORDER BY expires_at, id LIMIT :limit`,
    { ...span, limit, afterEnd: after?.expiresAt ?? null, afterId: after?.id ?? null },
  );
}

/** Writes down that a notice is given, in the transaction of its mails; false where it was before. */
export async function insertKeyNotice(
  tx: SystemTransaction,
  { id, customerId, environment }: ExpiringKey,
  days: NoticeDays,
  at: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO api_key_notices (customer_id, environment, api_key_id, days, noticed_at)
     VALUES (:customerId, :environment, :id, :days, :at)
     ON CONFLICT (api_key_id, days) DO NOTHING RETURNING days`,
    { customerId, environment, id, days, at },
  );
  return rows.length > 0;
}
