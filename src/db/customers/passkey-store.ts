import type { AnyTransaction, ScopedTransaction, SystemTransaction } from '../client/database.ts';
import type { Surface } from '../../domain/customers/access/rights.ts';
import type { Asking } from './login-challenge-store.ts';

export interface PasskeyRow {
  readonly id: string;
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: bigint;
  readonly transports: readonly string[];
  readonly browser: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** A person has no more than that. */
const PASSKEYS_MAX = 10;

/** A person's passkeys, oldest first. */
export async function listPasskeys(db: Asking, personId: string): Promise<PasskeyRow[]> {
  return db.query<PasskeyRow>(
    `SELECT id, credential_id AS "credentialId", public_key AS "publicKey", counter, transports, browser,
       created_at AS "createdAt", last_used_at AS "lastUsedAt"
     FROM passkeys WHERE (user_id = $1 OR operator_id = $1) AND removed_at IS NULL
     ORDER BY created_at, id LIMIT ${String(PASSKEYS_MAX)}`,
    [personId],
  );
}

/** Whose passkey it is, of the people of a surface; null where nobody there has it. */
export async function findPasskeyOwner(
  db: Asking,
  surface: Surface,
  credentialId: Buffer,
): Promise<{ readonly id: string; readonly customerId: string | null } | null> {
  const person = surface === 'console' ? 'operator_id' : 'user_id';
  const rows = await db.query<{ id: string; customerId: string | null }>(
    `SELECT ${person} AS id, customer_id AS "customerId" FROM passkeys
     WHERE credential_id = $1 AND removed_at IS NULL AND ${person} IS NOT NULL`,
    [credentialId],
  );
  return rows[0] ?? null;
}

/** How many passkeys people have, of those who have any. */
export async function countPasskeys(
  db: Asking,
  personIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ personId: string; count: number }>(
    `SELECT coalesce(user_id, operator_id) AS "personId", count(*)::integer AS count FROM passkeys
     WHERE (user_id = ANY ($1) OR operator_id = ANY ($1)) AND removed_at IS NULL GROUP BY 1`,
    [[...personIds]],
  );
  return new Map(rows.map(({ personId, count }) => [personId, count]));
}

interface NewPasskey extends Omit<PasskeyRow, 'lastUsedAt'> {
  readonly personId: string;
  readonly customerId: string | null;
}

/** Stores a passkey; false where there is one of that credential, or the person has too many. */
export async function insertPasskey(
  tx: SystemTransaction,
  { personId, ...passkey }: NewPasskey,
): Promise<boolean> {
  await lockPerson(tx, personId);
  const rows = await tx.query(
    `INSERT INTO passkeys (id, credential_id, public_key, counter, transports, user_id, customer_id,
       operator_id, browser, created_at)
     SELECT :id, :credentialId, :publicKey, :counter, :transports,
       CASE WHEN :customerId::text IS NOT NULL THEN :personId::text END, :customerId,
       CASE WHEN :customerId::text IS NULL THEN :personId::text END, :browser, :createdAt
     WHERE (SELECT count(*) FROM passkeys WHERE (user_id = :personId OR operator_id = :personId)
       AND removed_at IS NULL) < ${String(PASSKEYS_MAX)}
     ON CONFLICT (credential_id) DO NOTHING RETURNING id`,
    { ...passkey, personId, transports: [...passkey.transports] },
  );
  return rows.length > 0;
}

/** Notes a use; false where the counter has not moved since, or the passkey is gone: it was used twice. */
export async function recordPasskeyUse(
  db: Asking,
  id: string,
  counter: number,
  at: Date,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE passkeys SET counter = :counter, last_used_at = :at
     WHERE id = :id AND removed_at IS NULL AND (counter < :counter OR :counter = 0 AND counter = 0)
     RETURNING id`,
    { id, counter, at },
  );
  return rows.length > 0;
}

/** Removes one passkey of a person in a session of theirs; false where they have none of that id. */
export async function removePasskey(
  tx: SystemTransaction,
  owner: { readonly personId: string; readonly sessionId: string },
  id: string,
  at: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE passkeys SET removed_at = :at, removed_in = :sessionId
     WHERE id = :id AND (user_id = :personId OR operator_id = :personId) AND removed_at IS NULL
     RETURNING id`,
    { ...owner, id, at },
  );
  return rows.length > 0;
}

/** The version of a person, who stays as they are until the commit; null where there is none. */
export async function lockPerson(tx: AnyTransaction, personId: string): Promise<number | null> {
  const rows = await tx.query<{ version: number | null }>('SELECT lock_person($1) AS version', [
    personId,
  ]);
  return rows[0]?.version ?? null;
}

/**
 * Removes all passkeys of a person, in a transaction that uses an approval of it: PostgreSQL refuses it
 * otherwise. Ends their sessions. Answers how many there were.
 */
export async function removeEveryPasskey(
  tx: ScopedTransaction,
  personId: string,
  at: Date,
): Promise<number> {
  const rows = await tx.query<{ removed: number }>('SELECT remove_passkeys($1, $2) AS removed', [
    personId,
    at,
  ]);
  return rows[0]?.removed ?? 0;
}
