import type { OperatorRole } from '../../domain/customers/access/operator-rights.ts';
import type { UserRole } from '../../domain/customers/access/user-rights.ts';
import type { AnyTransaction, SystemTransaction } from '../client/database.ts';

/** What one address is found by while peppers rotate. */
export interface AddressHash {
  /** What is stored. */
  readonly current: Buffer;
  /** Under other peppers that are accepted. None where there is one pepper. */
  readonly others: readonly Buffer[];
  /** Equal in all processes, whatever they store. */
  readonly steady: Buffer;
}

/**
 * Lets one transaction at a time give out an address while processes store its hash under different peppers: the unique
 * index then does not keep two of them apart. A statement of its own, so that the next one sees what was committed.
 */
export async function lockAddress(
  tx: AnyTransaction,
  { others, steady }: AddressHash,
): Promise<void> {
  if (others.length === 0) return;
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('address:' || $1, 0))`, [
    steady.toString('hex'),
  ]);
}

/** A person as stored: name and address sealed, the address found by its keyed hash. */
interface NewPerson {
  readonly id: string;
  readonly addressHash: AddressHash;
  readonly address: Buffer;
  readonly name: Buffer;
  readonly at: Date;
}

interface NewUser extends NewPerson {
  readonly customerId: string;
  readonly role: UserRole;
  readonly status: 'INVITED';
}

/** Stores a user; false where the customer has one of that address. */
export async function insertUser(tx: AnyTransaction, user: NewUser): Promise<boolean> {
  await lockAddress(tx, user.addressHash);
  const rows = await tx.query(
    `INSERT INTO users (id, customer_id, address_hash, address, name, role, status, created_at)
     SELECT :id, :customerId, :addressHash, :address, :name, :role, :status, :at
     WHERE NOT EXISTS (SELECT FROM users
       WHERE customer_id = :customerId AND address_hash = ANY (:others::bytea[]))
     ON CONFLICT (customer_id, address_hash) DO NOTHING RETURNING id`,
    { ...user, addressHash: user.addressHash.current, others: [...user.addressHash.others] },
  );
  return rows.length > 0;
}

interface NewOperator extends NewPerson {
  readonly role: OperatorRole;
}

/** Stores an operator; false where there is one of that address. */
export async function insertOperator(
  tx: SystemTransaction,
  operator: NewOperator,
): Promise<boolean> {
  await lockAddress(tx, operator.addressHash);
  const rows = await tx.query(
    `INSERT INTO operators (id, address_hash, address, name, role, created_at)
     SELECT :id, :addressHash, :address, :name, :role, :at
     WHERE NOT EXISTS (SELECT FROM operators WHERE address_hash = ANY (:others::bytea[]))
     ON CONFLICT (address_hash) DO NOTHING RETURNING id`,
    {
      ...operator,
      addressHash: operator.addressHash.current,
      others: [...operator.addressHash.others],
    },
  );
  return rows.length > 0;
}

/** The sealed address of a person, in a transaction that sees them; null where it does not. */
export async function readPersonAddress(tx: AnyTransaction, id: string): Promise<Buffer | null> {
  const table = id.startsWith('usr_') ? 'users' : 'operators';
  const rows = await tx.query<{ address: Buffer }>(`SELECT address FROM ${table} WHERE id = $1`, [
    id,
  ]);
  return rows[0]?.address ?? null;
}

/** The sealed addresses of confirmed operators who may log in and have one of the roles; at most `limit`. */
export async function listOperatorAddresses(
  tx: SystemTransaction,
  roles: readonly OperatorRole[],
  limit: number,
): Promise<{ readonly id: string; readonly address: Buffer }[]> {
  return tx.query<{ id: string; address: Buffer }>(
    `SELECT id, address FROM operators WHERE status = 'ACTIVE' AND confirmed_at IS NOT NULL AND role = ANY($1)
     ORDER BY id LIMIT $2`,
    [[...roles], limit],
  );
}

/** The operator of an address, by its keyed hash; null where there is none. */
export async function findOperatorByAddress(
  tx: SystemTransaction,
  addressHashes: readonly Buffer[],
): Promise<string | null> {
  const rows = await tx.query<{ id: string }>(
    'SELECT id FROM operators WHERE address_hash = ANY ($1::bytea[])',
    [[...addressHashes]],
  );
  return rows[0]?.id ?? null;
}

/** The customer of a user; null for operators. */
export async function findPersonCustomer(
  tx: SystemTransaction,
  id: string,
): Promise<string | null> {
  const sql = 'SELECT customer_id AS "customerId" FROM users WHERE id = $1';
  const rows = await tx.query<{ customerId: string }>(sql, [id]);
  return rows[0]?.customerId ?? null;
}
