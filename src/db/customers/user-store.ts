import type { UserRole } from '../../domain/customers/access/user-rights.ts';
import type { AnyTransaction, ScopedTransaction } from '../client/database.ts';

export type UserStatus = 'INVITED' | 'ACTIVE' | 'DISABLED';

/** A user of a customer; name and address are sealed for the rows of src/domain/customers/access/person-rows.ts. */
export interface UserRow {
  readonly id: string;
  readonly customerId: string;
  readonly name: Buffer;
  readonly address: Buffer;
  readonly role: UserRole;
  readonly status: UserStatus;
  readonly version: number;
  readonly createdAt: Date;
  /** When the open invitation ends, or ended; null where there is none. */
  readonly invitedUntil: Date | null;
}

const COLUMNS = `u.id, u.customer_id AS "customerId", u.name, u.address, u.role, u.status, u.version,
  u.created_at AS "createdAt", i.expires_at AS "invitedUntil"`;
const FROM = `users u LEFT JOIN invitations i
  ON i.user_id = u.id AND i.used_at IS NULL AND i.ended_at IS NULL`;

/** The users of a customer, those who are disabled last; at most `limit`. */
export async function listUsers(
  tx: AnyTransaction,
  customerId: string,
  limit: number,
): Promise<UserRow[]> {
  return tx.query<UserRow>(
    `SELECT ${COLUMNS} FROM ${FROM} WHERE u.customer_id = $1
     ORDER BY (u.status = 'DISABLED'), u.id LIMIT $2`,
    [customerId, limit],
  );
}

/** How many users a customer has, disabled ones among them; a second caller waits for the first's end. */
export async function countUsers(tx: AnyTransaction, customerId: string): Promise<number> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('users:' || $1, 0))`, [customerId]);
  const rows = await tx.query<{ count: bigint }>(
    'SELECT count(*) AS count FROM users WHERE customer_id = $1',
    [customerId],
  );
  return Number(rows[0]?.count ?? 0n);
}

export async function findUser(
  tx: AnyTransaction,
  customerId: string,
  id: string,
): Promise<UserRow | null> {
  const rows = await tx.query<UserRow>(
    `SELECT ${COLUMNS} FROM ${FROM} WHERE u.customer_id = $1 AND u.id = $2`,
    [customerId, id],
  );
  return rows[0] ?? null;
}

/** The same, locked until the transaction ends. */
export async function lockUser(
  tx: AnyTransaction,
  customerId: string,
  id: string,
): Promise<UserRow | null> {
  const rows = await tx.query<UserRow>(
    `SELECT ${COLUMNS} FROM ${FROM} WHERE u.customer_id = $1 AND u.id = $2 FOR UPDATE OF u`,
    [customerId, id],
  );
  return rows[0] ?? null;
}

/** Owners of a customer who are invited and have not come, by id; the caller has `countUsers`' lock. */
export async function listOwnersToCome(tx: AnyTransaction, customerId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM users WHERE customer_id = $1 AND role = 'OWNER' AND status = 'INVITED'
     ORDER BY id FOR UPDATE`,
    [customerId],
  );
  return rows.map(({ id }) => id);
}

/** Changes role or status; the caller holds the row's lock. Sessions end with either, by trigger. */
export async function changeUser(
  tx: AnyTransaction,
  id: string,
  change: { readonly role: UserRole; readonly status: UserStatus },
): Promise<void> {
  await tx.query('UPDATE users SET role = $2, status = $3, version = version + 1 WHERE id = $1', [
    id,
    change.role,
    change.status,
  ]);
}

/** Did PostgreSQL refuse a change because a customer's last owner stays? */
export function isLastOwner(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'an_owner_stays';
}

/** The sealed names of a customer's users, those of these ids that it has. */
export function listUserNames(
  tx: ScopedTransaction,
  customerId: string,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly name: Buffer }[]> {
  return tx.query('SELECT id, name FROM users WHERE customer_id = $1 AND id = ANY ($2)', [
    customerId,
    [...ids],
  ]);
}
