import type { Scope } from '../../domain/scope.ts';
import type { AnyTransaction } from '../client/database.ts';

interface NewApiKey {
  readonly id: string;
  readonly publicId: string;
  readonly name: string;
  readonly tokenHmac: Buffer;
  readonly last4: string;
  readonly scopes: readonly string[];
  /** Of a test key: it is refused nowhere while no address is on its list. */
  readonly isOpenToAnyAddress: boolean;
  readonly expiresAt: Date | null;
  /** As the audit log names who acts. */
  readonly createdBy: string;
  readonly at: Date;
}

/**
 * Stores an API key. The database refuses an eleventh that works (`ten_keys_at_most`), an eleventh that works
 * beside its successor (`ten_replaced_keys_at_most`), and a live one without live access or an end.
 */
export async function insertApiKey(
  tx: AnyTransaction,
  { customerId, environment }: Scope,
  key: NewApiKey,
): Promise<void> {
  await tx.query(
    `INSERT INTO api_keys (id, customer_id, environment, public_id, name, token_hmac, last4, scopes,
       open_to_any_address, expires_at, created_by, created_at)
     VALUES (:id, :customerId, :environment, :publicId, :name, :tokenHmac, :last4, :scopes,
       :isOpenToAnyAddress, :expiresAt, :createdBy, :at)`,
    { ...key, scopes: [...key.scopes], customerId, environment },
  );
}

/** Says which key takes a locked key's place, and when the old one ends. The new one is stored after that. */
export async function replaceApiKey(
  tx: AnyTransaction,
  { customerId, environment }: Scope,
  id: string,
  change: { readonly replacedBy: string; readonly endsAt: Date },
): Promise<void> {
  await tx.query(
    `UPDATE api_keys SET replaced_by = :replacedBy, expires_at = :endsAt
     WHERE customer_id = :customerId AND environment = :environment AND id = :id`,
    { ...change, id, customerId, environment },
  );
}

/** Revokes a locked key. */
export async function revokeApiKey(
  tx: AnyTransaction,
  { customerId, environment }: Scope,
  id: string,
  at: Date,
): Promise<void> {
  await tx.query(
    `UPDATE api_keys SET revoked_at = $4
     WHERE customer_id = $1 AND environment = $2 AND id = $3`,
    [customerId, environment, id, at],
  );
}
