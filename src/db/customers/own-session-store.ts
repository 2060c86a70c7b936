import type { AnyTransaction, SystemTransaction } from '../client/database.ts';
import type { Asking } from './login-challenge-store.ts';

export interface OwnSession {
  readonly id: string;
  readonly browser: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
}

const OF_PERSON = '(user_id = :personId OR operator_id = :personId)';

/** A person's sessions that hold, newest first; a person has five at most. */
export async function listSessions(
  tx: AnyTransaction,
  personId: string,
  at: Date,
): Promise<OwnSession[]> {
  return tx.query<OwnSession>(
    `SELECT id, browser, created_at AS "createdAt", last_used_at AS "lastUsedAt" FROM sessions
     WHERE ${OF_PERSON} AND ended_at IS NULL AND expires_at > :at AND last_used_at + idle > :at
     ORDER BY created_at DESC, id DESC LIMIT 20`,
    { personId, at },
  );
}

/** Ends one session of a person; false where they have none of that id that still holds. */
export async function endSession(
  tx: SystemTransaction,
  personId: string,
  sessionId: string,
  at: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE sessions SET ended_at = :at
     WHERE id = :sessionId AND ${OF_PERSON} AND ended_at IS NULL RETURNING id`,
    { personId, sessionId, at },
  );
  return rows.length > 0;
}

/** Ends all sessions of a person but one, or all where that is null; answers how many. */
export async function endSessions(
  tx: SystemTransaction,
  personId: string,
  keptSessionId: string | null,
  at: Date,
): Promise<number> {
  const rows = await tx.query(
    `UPDATE sessions SET ended_at = :at
     WHERE ${OF_PERSON} AND ended_at IS NULL AND id IS DISTINCT FROM :keptSessionId RETURNING id`,
    { personId, keptSessionId, at },
  );
  return rows.length;
}

/** Has a session not been ended? */
export async function isSessionOpen(tx: SystemTransaction, sessionId: string): Promise<boolean> {
  const sql = 'SELECT FROM sessions WHERE id = $1 AND ended_at IS NULL';
  return (await tx.query(sql, [sessionId])).length > 0;
}

/** Gives a session that holds another token; false where it is over. */
export async function renewSession(
  db: Asking,
  sessionId: string,
  tokenHash: Buffer,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE sessions SET token_hash = $2 WHERE id = $1 AND ended_at IS NULL RETURNING id`,
    [sessionId, tokenHash],
  );
  return rows.length > 0;
}
