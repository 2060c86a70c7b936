import type { Scope } from '../domain/scope.ts';
import type { SystemTransaction } from './database.ts';

/** Stores a customer. Answers false where the id is taken. */
export async function insertCustomer(
  tx: SystemTransaction,
  customer: { readonly id: string; readonly name: string; readonly hasLiveAccess: boolean },
  at: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO customers (id, name, live_access, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING RETURNING id`,
    [customer.id, customer.name, customer.hasLiveAccess, at],
  );
  return rows.length > 0;
}

export interface NewApiKey {
  readonly id: string;
  readonly publicId: string;
  readonly name: string;
  readonly tokenHmac: Buffer;
  readonly last4: string;
  readonly scopes: readonly string[];
  readonly isOpenToAnyAddress: boolean;
  /** CIDR ranges that an operator approves with this. */
  readonly approvedRanges: readonly string[];
  readonly approvedBy: string;
}

/** Stores an API key with its approved addresses. */
export async function insertApiKey(
  tx: SystemTransaction,
  scope: Scope,
  key: NewApiKey,
  at: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO api_keys (id, customer_id, environment, public_id, name, token_hmac, last4, scopes,
       open_to_any_address, created_at)
     VALUES (:id, :customerId, :environment, :publicId, :name, :tokenHmac, :last4,
       :scopes, :isOpenToAnyAddress, :at)`,
    {
      id: key.id,
      customerId: scope.customerId,
      environment: scope.environment,
      publicId: key.publicId,
      name: key.name,
      tokenHmac: key.tokenHmac,
      last4: key.last4,
      scopes: [...key.scopes],
      isOpenToAnyAddress: key.isOpenToAnyAddress,
      at,
    },
  );
  await tx.query(
    `INSERT INTO api_key_addresses (customer_id, environment, api_key_id, range, status, decided_by,
       decided_at, created_at)
     SELECT $1, $2, $3, range::cidr, 'APPROVED', $5, $6, $6 FROM unnest($4::text[]) AS range`,
    [scope.customerId, scope.environment, key.id, [...key.approvedRanges], key.approvedBy, at],
  );
}

/** How many keys of the scope still work. */
export async function countActiveKeys(
  tx: SystemTransaction,
  scope: Scope,
  now: Date,
): Promise<number> {
  const rows = await tx.query<{ count: bigint }>(
    `SELECT count(*) AS count FROM api_keys WHERE customer_id = $1 AND environment = $2
       AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)`,
    [scope.customerId, scope.environment, now],
  );
  return Number(rows[0]?.count ?? 0n);
}

export async function hasCustomer(tx: SystemTransaction, id: string): Promise<boolean> {
  return (await tx.query('SELECT FROM customers WHERE id = $1', [id])).length > 0;
}
