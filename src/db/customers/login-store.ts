import type { Role, Surface } from '../../domain/customers/access/rights.ts';
import type { SystemTransaction } from '../client/database.ts';
import type { Asking } from './login-challenge-store.ts';
import type { NewMail } from './mail-store.ts';

/** A user or an operator who may log in; the customer is null for operators. */
export interface LoginPerson {
  readonly id: string;
  readonly role: Role;
  readonly customerId: string | null;
  readonly customerName: string | null;
}

/** Every ACTIVE person who has an address on a surface, 50 at most. */
export async function findLoginPeople(
  db: Asking,
  surface: Surface,
  addressHashes: readonly Buffer[],
): Promise<LoginPerson[]> {
  return db.query<LoginPerson>(
    `SELECT person_id AS id, role, customer_id AS "customerId", customer_name AS "customerName"
     FROM unnest($2::bytea[]) AS address (hash), find_login_people($1, address.hash)`,
    [surface, [...addressHashes]],
  );
}

/**
 * Writes a mail if its address may log in on the surface, and answers whether it did: one statement in
 * either case, so that no one learns from the time or the load which it was.
 */
export async function insertMailIfKnown(
  tx: SystemTransaction,
  surface: Surface,
  mail: NewMail,
  addressHashes: readonly Buffer[],
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO mails (id, customer_id, kind, address_hash, address, contents, created_at, due_at,
       expires_at)
     SELECT :id, :customerId, :kind, :addressHash, :address, :contents, :createdAt, :createdAt,
       :expiresAt
     WHERE EXISTS (SELECT FROM unnest(:addressHashes::bytea[]) AS address (hash),
       find_login_people(:surface, address.hash))
     RETURNING id`,
    { ...mail, surface, addressHashes: [...addressHashes] },
  );
  return rows.length > 0;
}

/**
 * Writes a failed login down for every person whom the address lets in on the surface: one statement in either
 * case, as above.
 */
export async function recordLoginFailure(
  tx: SystemTransaction,
  failure: {
    readonly surface: Surface;
    readonly addressHashes: readonly Buffer[];
    readonly at: Date;
    readonly action: 'login.failed' | 'login.limit_reached';
    readonly details: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  await tx.query(
    `SELECT record_login_failure(:surface, address.hash, :at, :action, :details::jsonb)
     FROM unnest(:addressHashes::bytea[]) AS address (hash)`,
    {
      ...failure,
      addressHashes: [...failure.addressHashes],
      details: JSON.stringify(failure.details),
    },
  );
}
