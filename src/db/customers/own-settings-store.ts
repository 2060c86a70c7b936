import type { Theme } from '../../domain/customers/access/person.ts';
import type { SystemTransaction } from '../client/database.ts';
import { lockAddress, type AddressHash } from './person-store.ts';

const tableOf = (personId: string): string => (personId.startsWith('usr_') ? 'users' : 'operators');

/** How pages are shown to a person. */
export async function updateDisplay(
  tx: SystemTransaction,
  personId: string,
  display: { readonly timeZone: string; readonly theme: Theme },
): Promise<void> {
  await tx.query(
    `UPDATE ${tableOf(personId)} SET time_zone = :timeZone, theme = :theme WHERE id = :personId`,
    { personId, ...display },
  );
}

/** Whether all who log in for a customer must have a passkey; false where it was so already. */
export async function updatePasskeyRule(
  tx: SystemTransaction,
  customerId: string,
  isRequired: boolean,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE customers SET requires_passkeys = $2 WHERE id = $1 AND requires_passkeys <> $2
     RETURNING id`,
    [customerId, isRequired],
  );
  return rows.length > 0;
}

export interface AddressChange {
  readonly personId: string;
  /** Sealed for the row `address_changes/<person>/address`. */
  readonly address: Buffer;
}

/** Opens a change of a person's address in the place of the last one; forgets a few that ran out. */
export async function insertAddressChange(
  tx: SystemTransaction,
  change: AddressChange & {
    readonly addressHash: Buffer;
    readonly tokenHash: Buffer;
    /** Of the link by which the old address cancels it. */
    readonly cancelHash: Buffer;
    readonly at: Date;
    readonly expiresAt: Date;
  },
): Promise<void> {
  await tx.query(
    `WITH forgotten AS (
       DELETE FROM address_changes WHERE person_id IN (
         SELECT person_id FROM address_changes WHERE expires_at < :at AND person_id <> :personId
         ORDER BY expires_at LIMIT 4 FOR UPDATE SKIP LOCKED))
     INSERT INTO address_changes (person_id, token_hash, cancel_hash, address_hash, address,
       created_at, expires_at)
     VALUES (:personId, :tokenHash, :cancelHash, :addressHash, :address, :at, :expiresAt)
     ON CONFLICT (person_id) DO UPDATE SET token_hash = excluded.token_hash,
       cancel_hash = excluded.cancel_hash, address_hash = excluded.address_hash, address = excluded.address,
       created_at = excluded.created_at, expires_at = excluded.expires_at`,
    { ...change },
  );
}

/** A link of a change: what it does, its token, and whose may be changed there: users' or operators'. */
export interface AddressLink {
  readonly does: 'CONFIRM' | 'CANCEL';
  readonly tokenHashes: readonly Buffer[];
  readonly idPrefix: 'usr' | 'opr';
}

const ofLink = ({ does }: AddressLink): string =>
  `${does === 'CONFIRM' ? 'token_hash' : 'cancel_hash'} = ANY (:tokenHashes::bytea[])
   AND starts_with(person_id, :idPrefix) AND expires_at > :at`;
const valuesOf = ({ tokenHashes, idPrefix }: AddressLink, at: Date) => ({
  ...{ tokenHashes: [...tokenHashes], idPrefix, at },
});

/** Uses a link of a change, once: the change is none any more. Null where there is none of that link. */
export async function takeAddressChange(
  tx: SystemTransaction,
  link: AddressLink,
  at: Date,
): Promise<AddressChange | null> {
  const rows = await tx.query<AddressChange>(
    `DELETE FROM address_changes WHERE ${ofLink(link)}
     RETURNING person_id AS "personId", address`,
    valuesOf(link, at),
  );
  return rows[0] ?? null;
}

/** Whose address a link changes; null where it is over. Looking does not use it: mail scanners look. */
export async function findAddressChange(
  tx: SystemTransaction,
  link: AddressLink,
  at: Date,
): Promise<string | null> {
  const sql = `SELECT person_id AS "personId" FROM address_changes WHERE ${ofLink(link)}`;
  const rows = await tx.query<{ personId: string }>(sql, valuesOf(link, at));
  return rows[0]?.personId ?? null;
}

/** The change of a person's address that waits to be confirmed, the address sealed; null where there is none. */
export async function findWaitingAddress(
  tx: SystemTransaction,
  personId: string,
  at: Date,
): Promise<{ readonly address: Buffer; readonly expiresAt: Date } | null> {
  const rows = await tx.query<{ address: Buffer; expiresAt: Date }>(
    `SELECT address, expires_at AS "expiresAt" FROM address_changes
     WHERE person_id = $1 AND expires_at > $2`,
    [personId, at],
  );
  return rows[0] ?? null;
}

/** Ends the change of a person's address that waits; false where there is none. */
export async function endAddressChange(tx: SystemTransaction, personId: string): Promise<boolean> {
  const sql = 'DELETE FROM address_changes WHERE person_id = $1 RETURNING person_id';
  return (await tx.query(sql, [personId])).length > 0;
}

/**
 * Locks a person until the commit, against a login and a change of role, status, address. False where they are not
 * ACTIVE.
 */
export async function lockActivePerson(tx: SystemTransaction, personId: string): Promise<boolean> {
  const rows = await tx.query<{ status: string }>(
    `SELECT status FROM ${tableOf(personId)} WHERE id = $1 FOR NO KEY UPDATE`,
    [personId],
  );
  return rows[0]?.status === 'ACTIVE';
}

/**
 * Gives an ACTIVE person another address, sealed for their row. False where they are not ACTIVE, or another
 * one of the same customer, or another operator, has it.
 */
export async function updateAddress(
  tx: SystemTransaction,
  personId: string,
  address: { readonly addressHash: AddressHash; readonly address: Buffer },
): Promise<boolean> {
  await lockAddress(tx, address.addressHash);
  const table = tableOf(personId);
  const { current, others } = address.addressHash;
  const sameCustomer = table === 'users' ? 'AND other.customer_id = p.customer_id' : '';
  const rows = await tx.query(
    `UPDATE ${table} p SET address_hash = :addressHash, address = :address, version = version + 1
     WHERE id = :personId AND status = 'ACTIVE' AND NOT EXISTS (
       SELECT FROM ${table} other WHERE other.address_hash = ANY (:taken::bytea[]) ${sameCustomer})
     RETURNING id`,
    {
      ...{ personId, address: address.address, addressHash: current, taken: [current, ...others] },
    },
  );
  return rows.length > 0;
}
