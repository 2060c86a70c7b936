import type {
  AccessRequestStatus,
  AccessRequestStep,
  AccessRequestTimes,
} from '../../domain/customers/access/access-request.ts';
import { toPage, type Page, type PageRequest } from '../../domain/lists.ts';
import type { SystemTransaction } from '../client/database.ts';

interface NewAccessRequest {
  readonly id: string;
  readonly addressHash: Buffer;
  /** Sealed for the row that src/domain/customers/access/person-rows.ts names. */
  readonly details: Buffer;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A request as stored; without what was told once it is erased. */
export interface AccessRequestRow extends AccessRequestTimes {
  readonly id: string;
  readonly seq: bigint;
  readonly details: Buffer | null;
  readonly addressHash: Buffer | null;
  readonly customerId: string | null;
  readonly userId: string | null;
  readonly decidedBy: string | null;
}

const COLUMNS = `id, seq, details, address_hash AS "addressHash", status, customer_id AS "customerId",
  user_id AS "userId", decided_by AS "decidedBy", decided_at AS "decidedAt", created_at AS "createdAt",
  expires_at AS "expiresAt", told_at AS "toldAt", reminded_at AS "remindedAt",
  funded_at AS "fundedAt", erased_at AS "erasedAt"`;

/** Stores a request, due at once. */
export async function insertAccessRequest(
  tx: SystemTransaction,
  request: NewAccessRequest,
): Promise<void> {
  await tx.query(
    `INSERT INTO access_requests (id, address_hash, details, created_at, expires_at, due_at)
     VALUES (:id, :addressHash, :details, :createdAt, :expiresAt, :createdAt)`,
    { ...request },
  );
}

export async function findAccessRequest(
  tx: SystemTransaction,
  id: string,
): Promise<AccessRequestRow | null> {
  const rows = await tx.query<AccessRequestRow>(
    `SELECT ${COLUMNS} FROM access_requests WHERE id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

/** Requests, newest first: those that wait, or all. */
export async function listAccessRequests(
  tx: SystemTransaction,
  filter: { readonly status: AccessRequestStatus | null },
  { limit, before }: PageRequest,
): Promise<Page<AccessRequestRow>> {
  const rows = await tx.query<AccessRequestRow>(
    `SELECT ${COLUMNS} FROM access_requests
     WHERE (:status::text IS NULL OR status = :status) AND (:before::bigint IS NULL OR seq < :before)
     ORDER BY seq DESC LIMIT :rows`,
    { status: filter.status, before, rows: limit + 1 },
  );
  return toPage(rows, limit);
}

interface AccessDecision {
  readonly status: 'APPROVED' | 'DECLINED';
  /** `opr_...`. */
  readonly decidedBy: string;
  readonly at: Date;
  /** When the engine has to do something for it. */
  readonly dueAt: Date;
  /** What it became; null where it was declined. */
  readonly customerId: string | null;
  readonly userId: string | null;
}

/** Decides a request that waits and is not over; false where it was decided, or its time is over. */
export async function decideAccessRequest(
  tx: SystemTransaction,
  id: string,
  decision: AccessDecision,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE access_requests SET status = :status, decided_by = :decidedBy, decided_at = :at,
       due_at = :dueAt, customer_id = :customerId, user_id = :userId
     WHERE id = :id AND status = 'WAITING' AND expires_at > :at RETURNING id`,
    { id, ...decision },
  );
  return rows.length > 0;
}

/** Locks a request that can be decided, until the transaction ends; null where it cannot. */
export async function lockWaitingRequest(
  tx: SystemTransaction,
  id: string,
  now: Date,
): Promise<AccessRequestRow | null> {
  const rows = await tx.query<AccessRequestRow>(
    `SELECT ${COLUMNS} FROM access_requests
     WHERE id = $1 AND status = 'WAITING' AND expires_at > $2 FOR UPDATE`,
    [id, now],
  );
  return rows[0] ?? null;
}

/** Does a step of a request; false where it is done, or it is not the time. */
export async function advanceRequest(
  tx: SystemTransaction,
  id: string,
  step: AccessRequestStep,
  at: Date,
): Promise<boolean> {
  const rows = await tx.query<{ isDone: boolean }>(
    `SELECT advance_access_request($1, $2, $3) AS "isDone"`,
    [id, step, at],
  );
  return rows[0]?.isDone === true;
}

/** Ids of requests after `afterId` for which something was due before `until`, by id. */
export async function readForgottenRequests(
  tx: SystemTransaction,
  until: Date,
  afterId: string,
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM access_requests WHERE due_at < $1 AND id > $2 ORDER BY id LIMIT $3`,
    [until, afterId, limit],
  );
  return rows.map(({ id }) => id);
}
