import type { Scope } from '../../domain/scope.ts';
import type { AnyTransaction } from '../client/database.ts';

export type KeyAddressStatus = 'PENDING' | 'APPROVED' | 'REJECTED' | 'REMOVED';

/** A range of addresses on the list of a key. */
export interface KeyAddressRow {
  readonly id: string;
  readonly apiKeyId: string;
  /** CIDR as PostgreSQL writes it. */
  readonly range: string;
  readonly label: string;
  readonly status: KeyAddressStatus;
  readonly version: number;
  readonly requestedBy: string | null;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly decisionReason: string | null;
  readonly createdAt: Date;
}

export const KEY_ADDRESS_COLUMNS = `a.id, a.api_key_id AS "apiKeyId", a.range::text AS range, a.label,
  a.status, a.version, a.requested_by AS "requestedBy", a.decided_by AS "decidedBy",
  a.decided_at AS "decidedAt", a.decision_reason AS "decisionReason", a.created_at AS "createdAt"`;

interface NewKeyAddress {
  readonly id: string;
  readonly apiKeyId: string;
  /** CIDR text. */
  readonly range: string;
  readonly label: string;
  readonly requestedBy: string;
  /** The approved entry of the key whose place this one takes. */
  readonly copiedFrom: string | null;
  readonly at: Date;
}

/** Puts a range on a key's list: PENDING in live, in test it holds at once. Null where it is on it already. */
export async function insertKeyAddress(
  tx: AnyTransaction,
  { customerId, environment }: Scope,
  address: NewKeyAddress,
): Promise<KeyAddressStatus | null> {
  const rows = await tx.query<{ status: KeyAddressStatus }>(
    `INSERT INTO api_key_addresses (id, customer_id, environment, api_key_id, range, label,
       requested_by, copied_from, created_at)
     VALUES (:id, :customerId, :environment, :apiKeyId, :range::cidr, :label, :requestedBy,
       :copiedFrom, :at)
     ON CONFLICT (api_key_id, range) WHERE status IN ('PENDING', 'APPROVED') DO NOTHING
     RETURNING status`,
    { ...address, customerId, environment },
  );
  return rows[0]?.status ?? null;
}

/** What is or was on a key's list: what holds or waits first, then the newest; at most `limit`. */
export async function listKeyAddresses(
  tx: AnyTransaction,
  { customerId, environment }: Scope,
  apiKeyId: string,
  limit: number,
): Promise<KeyAddressRow[]> {
  return tx.query<KeyAddressRow>(
    `SELECT ${KEY_ADDRESS_COLUMNS} FROM api_key_addresses a
     WHERE a.customer_id = $1 AND a.environment = $2 AND a.api_key_id = $3
     ORDER BY (a.status IN ('APPROVED', 'PENDING')) DESC, a.seq DESC LIMIT $4`,
    [customerId, environment, apiKeyId, limit],
  );
}

/** How many ranges of a key hold or wait. */
export async function countKeyAddresses(
  tx: AnyTransaction,
  { customerId, environment }: Scope,
  apiKeyId: string,
): Promise<number> {
  const rows = await tx.query<{ count: bigint }>(
    `SELECT count(*) AS count FROM api_key_addresses
     WHERE customer_id = $1 AND environment = $2 AND api_key_id = $3
       AND status IN ('PENDING', 'APPROVED')`,
    [customerId, environment, apiKeyId],
  );
  return Number(rows[0]?.count ?? 0n);
}

/** One entry of a key's list, kept from being changed; null where that key of the scope has none of that id. */
export async function lockKeyAddress(
  tx: AnyTransaction,
  { customerId, environment }: Scope,
  { id, apiKeyId }: { readonly id: string; readonly apiKeyId: string },
): Promise<KeyAddressRow | null> {
  const rows = await tx.query<KeyAddressRow>(
    `SELECT ${KEY_ADDRESS_COLUMNS} FROM api_key_addresses a
     WHERE a.customer_id = :customerId AND a.environment = :environment
       AND a.api_key_id = :apiKeyId AND a.id = :id FOR UPDATE OF a`,
    { customerId, environment, id, apiKeyId },
  );
  return rows[0] ?? null;
}

/** Takes a locked entry off its list: the database makes it REMOVED. */
export async function removeKeyAddress(
  tx: AnyTransaction,
  { customerId, environment }: Scope,
  { id, removedBy, at }: { readonly id: string; readonly removedBy: string; readonly at: Date },
): Promise<void> {
  await tx.query(
    `UPDATE api_key_addresses SET removed_by = :removedBy, removed_at = :at, version = version + 1
     WHERE customer_id = :customerId AND environment = :environment AND id = :id`,
    { customerId, environment, id, removedBy, at },
  );
}
