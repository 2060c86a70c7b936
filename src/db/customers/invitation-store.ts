import type { AnyTransaction, SystemTransaction } from '../client/database.ts';

interface NewInvitation {
  readonly id: string;
  readonly customerId: string;
  readonly userId: string;
  readonly tokenHash: Buffer;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Stores an invitation; the user's open one, if there is one, must have been ended before. */
export async function insertInvitation(
  tx: AnyTransaction,
  invitation: NewInvitation,
): Promise<void> {
  await tx.query(
    `INSERT INTO invitations (id, customer_id, user_id, token_hash, created_at, expires_at)
     VALUES (:id, :customerId, :userId, :tokenHash, :createdAt, :expiresAt)`,
    { ...invitation },
  );
}

/** Ends the open invitation of a user: its link is good for nothing. */
export async function endInvitations(tx: AnyTransaction, userId: string, at: Date): Promise<void> {
  await tx.query(
    `UPDATE invitations SET ended_at = $2
     WHERE user_id = $1 AND used_at IS NULL AND ended_at IS NULL`,
    [userId, at],
  );
}

/** Whom a link that can be used is for. */
export interface OpenInvitation {
  readonly userId: string;
  readonly customerId: string;
  readonly customerName: string;
  readonly role: string;
  readonly expiresAt: Date;
}

/** The invitation of a link; null where there is none, it was used, ended or is too old. */
export async function findOpenInvitation(
  tx: SystemTransaction,
  tokenHashes: readonly Buffer[],
  now: Date,
): Promise<OpenInvitation | null> {
  const rows = await tx.query<OpenInvitation>(
    `SELECT i.user_id AS "userId", i.customer_id AS "customerId", c.name AS "customerName", u.role,
       i.expires_at AS "expiresAt"
     FROM invitations i JOIN users u ON u.id = i.user_id JOIN customers c ON c.id = i.customer_id
     WHERE i.token_hash = ANY ($1::bytea[]) AND i.used_at IS NULL AND i.ended_at IS NULL AND i.expires_at > $2
       AND u.status = 'INVITED'`,
    [[...tokenHashes], now],
  );
  return rows[0] ?? null;
}

/** Uses a link and makes its user ACTIVE; null where it cannot be used. Of two at once one does it. */
export async function takeInvitation(
  tx: SystemTransaction,
  tokenHashes: readonly Buffer[],
  at: Date,
): Promise<{ readonly userId: string; readonly customerId: string } | null> {
  const rows = await tx.query<{ userId: string; customerId: string }>(
    `UPDATE invitations SET used_at = $2
     WHERE token_hash = ANY ($1::bytea[]) AND used_at IS NULL AND ended_at IS NULL AND expires_at > $2
     RETURNING user_id AS "userId", customer_id AS "customerId"`,
    [[...tokenHashes], at],
  );
  const [taken] = rows;
  if (taken === undefined) return null;
  const users = await tx.query(
    `UPDATE users SET status = 'ACTIVE', version = version + 1
     WHERE id = $1 AND status = 'INVITED' RETURNING id`,
    [taken.userId],
  );
  if (users.length === 0)
    throw new Error(`${taken.userId} has an open invitation and is not invited`);
  return taken;
}
