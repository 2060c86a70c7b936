import { toPage, type Page, type PageRequest } from '../../domain/lists.ts';
import type { Scope } from '../../domain/scope.ts';
import type { AnyTransaction } from '../client/database.ts';

/** A key as pages show it: nothing of it authenticates a request. */
export interface ApiKeyRow {
  readonly seq: bigint;
  readonly id: string;
  readonly publicId: string;
  readonly name: string;
  readonly last4: string;
  readonly scopes: readonly string[];
  readonly isOpenToAnyAddress: boolean;
  /** As the audit log names who acts; null where it is not known. */
  readonly createdBy: string | null;
  readonly replacedBy: string | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  /** Where its last use came from; null where that cannot be told. */
  readonly lastUsedIp: string | null;
  readonly createdAt: Date;
}

const COLUMNS = `seq, id, public_id AS "publicId", name, last4, scopes,
  open_to_any_address AS "isOpenToAnyAddress", created_by AS "createdBy",
  replaced_by AS "replacedBy", expires_at AS "expiresAt", revoked_at AS "revokedAt",
  last_used_at AS "lastUsedAt", host(last_used_ip) AS "lastUsedIp", created_at AS "createdAt"`;

const OF_SCOPE = 'customer_id = :customerId AND environment = :environment';

/** The keys of a scope, newest first, those that ended included. */
export async function listApiKeys(
  tx: AnyTransaction,
  { customerId, environment }: Scope,
  { before, limit }: PageRequest,
): Promise<Page<ApiKeyRow>> {
  const rows = await tx.query<ApiKeyRow>(
    `SELECT ${COLUMNS} FROM api_keys
     WHERE ${OF_SCOPE} AND (:before::bigint IS NULL OR seq < :before)
     ORDER BY seq DESC LIMIT :rows`,
    { customerId, environment, before, rows: limit + 1 },
  );
  return toPage(rows, limit);
}

/** One key; null where there is none, or it is another scope's. */
export async function findApiKey(
  tx: AnyTransaction,
  scope: Scope,
  id: string,
): Promise<ApiKeyRow | null> {
  return one(tx, scope, id, '');
}

/** The same, kept from being changed by others until the transaction ends. */
export async function lockApiKey(
  tx: AnyTransaction,
  scope: Scope,
  id: string,
): Promise<ApiKeyRow | null> {
  return one(tx, scope, id, 'FOR UPDATE');
}

async function one(
  tx: AnyTransaction,
  { customerId, environment }: Scope,
  id: string,
  lock: '' | 'FOR UPDATE',
): Promise<ApiKeyRow | null> {
  const rows = await tx.query<ApiKeyRow>(
    `SELECT ${COLUMNS} FROM api_keys WHERE ${OF_SCOPE} AND id = :id ${lock}`,
    { customerId, environment, id },
  );
  return rows[0] ?? null;
}
