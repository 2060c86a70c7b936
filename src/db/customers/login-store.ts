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
  addressHash: Buffer,
): Promise<LoginPerson[]> {
  return db.query<LoginPerson>(
    `SELECT person_id AS id, role, customer_id AS "customerId", customer_name AS "customerName"
     FROM find_login_people($1, $2)`,
    [surface, addressHash],
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
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO mails (id, customer_id, kind, address_hash, address, contents, created_at, due_at,
       expires_at)
     SELECT :id, :customerId, :kind, :addressHash, :address, :contents, :createdAt, :createdAt,
       :expiresAt
     WHERE EXISTS (SELECT FROM find_login_people(:surface, :addressHash))
     RETURNING id`,
    { ...mail, surface },
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
    readonly addressHash: Buffer;
    readonly at: Date;
    readonly action: 'login.failed' | 'login.limit_reached';
    readonly details: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  await tx.query(
    'SELECT record_login_failure(:surface, :addressHash, :at, :action, :details::jsonb)',
    { ...failure, details: JSON.stringify(failure.details) },
  );
}
