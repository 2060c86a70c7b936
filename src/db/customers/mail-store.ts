import type { AnyTransaction, SystemTransaction } from '../client/database.ts';

type MailStatus = 'WAITING' | 'SENT' | 'FAILED' | 'EXPIRED';

/** A mail as it is written. Address and contents are sealed for the rows that src/modules/customers/mail/mail-rows.ts names. */
export interface NewMail {
  readonly id: string;
  readonly customerId: string | null;
  readonly kind: string;
  readonly addressHash: Buffer;
  readonly address: Buffer;
  readonly contents: Buffer;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A mail that its reader alone may send, until the lease is over. */
export interface LeasedMail {
  readonly id: string;
  readonly address: Buffer;
  readonly contents: Buffer;
  /** Which try this is, from 1: what comes of it is recorded only while it is the latest. */
  readonly tries: number;
  readonly expiresAt: Date;
}

/** Where a mail stands that cannot be leased now. */
export interface MailState {
  readonly status: MailStatus;
  readonly dueAt: Date;
  readonly leasedUntil: Date | null;
  readonly expiresAt: Date;
}

/** Writes a mail, in the transaction of what it tells of. */
export async function insertMail(tx: AnyTransaction, mail: NewMail): Promise<void> {
  await tx.query(
    `INSERT INTO mails (id, customer_id, kind, address_hash, address, contents, created_at, due_at,
       expires_at)
     VALUES (:id, :customerId, :kind, :addressHash, :address, :contents, :createdAt, :createdAt,
       :expiresAt)`,
    { ...mail },
  );
}

/** Begins a try: null where the mail is over, not due, or another's until its lease is over. */
export async function leaseMail(
  tx: SystemTransaction,
  id: string,
  now: Date,
  leasedUntil: Date,
): Promise<LeasedMail | null> {
  const rows = await tx.query<LeasedMail>(
    `UPDATE mails SET tries = tries + 1, leased_until = :leasedUntil
     WHERE id = :id AND status = 'WAITING' AND expires_at > :now AND due_at <= :now
       AND (leased_until IS NULL OR leased_until <= :now)
     RETURNING id, address, contents, tries, expires_at AS "expiresAt"`,
    { id, now, leasedUntil },
  );
  return rows[0] ?? null;
}

export async function findMailState(tx: SystemTransaction, id: string): Promise<MailState | null> {
  const rows = await tx.query<MailState>(
    `SELECT status, due_at AS "dueAt", leased_until AS "leasedUntil", expires_at AS "expiresAt"
     FROM mails WHERE id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

/** Ends a mail after a try, and forgets its contents. False where a later try has begun, or it is over. */
export async function endMail(
  tx: SystemTransaction,
  { id, tries }: Pick<LeasedMail, 'id' | 'tries'>,
  end: {
    readonly status: 'SENT' | 'FAILED';
    readonly failure: string | null;
    readonly at: Date;
  },
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE mails SET status = :status, failure = :failure, contents = NULL, leased_until = NULL,
       ended_at = :at
     WHERE id = :id AND tries = :tries AND status = 'WAITING' RETURNING id`,
    { id, tries, ...end },
  );
  return rows.length > 0;
}

/** Gives a mail back after a try that did not succeed. */
export async function postponeMail(
  tx: SystemTransaction,
  { id, tries }: Pick<LeasedMail, 'id' | 'tries'>,
  next: { readonly dueAt: Date; readonly failure: string },
): Promise<void> {
  await tx.query(
    `UPDATE mails SET due_at = :dueAt, failure = :failure, leased_until = NULL
     WHERE id = :id AND tries = :tries AND status = 'WAITING'`,
    { id, tries, ...next },
  );
}

/** Ends a mail whose time is over, unless a try of it is under way. */
export async function expireMail(tx: SystemTransaction, id: string, now: Date): Promise<void> {
  await tx.query(
    `UPDATE mails SET status = 'EXPIRED', contents = NULL, leased_until = NULL, ended_at = :now
     WHERE id = :id AND status = 'WAITING' AND expires_at <= :now
       AND (leased_until IS NULL OR leased_until <= :now)`,
    { id, now },
  );
}

/** Ids of mails after `afterId` that no one has tried though they were due before `until`, by id. */
export async function readForgottenMails(
  tx: SystemTransaction,
  until: Date,
  afterId: string,
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM mails
     WHERE status = 'WAITING' AND id > $2 AND (due_at < $1 OR expires_at < $1)
       AND (leased_until IS NULL OR leased_until < $1)
     ORDER BY id LIMIT $3`,
    [until, afterId, limit],
  );
  return rows.map(({ id }) => id);
}

/** Forgets mails that ended before `until`, at most `limit`; answers how many. 30 days at the least. */
export async function deleteOldMails(
  tx: SystemTransaction,
  until: Date,
  limit: number,
): Promise<number> {
  const rows = await tx.query(
    `DELETE FROM mails WHERE id IN (
       SELECT id FROM mails WHERE status <> 'WAITING' AND ended_at < $1 ORDER BY ended_at LIMIT $2)
     RETURNING id`,
    [until, limit],
  );
  return rows.length;
}

/** A mail that was not sent, without whom it was for. */
interface UnsentMail {
  readonly id: string;
  readonly kind: string;
  readonly status: 'FAILED' | 'EXPIRED';
  readonly failure: string | null;
  readonly tries: number;
  readonly createdAt: Date;
  readonly endedAt: Date;
}

/** Mails that ended unsent, newest first. */
export async function listUnsentMails(tx: SystemTransaction, limit: number): Promise<UnsentMail[]> {
  return tx.query<UnsentMail>(
    `SELECT id, kind, status, failure, tries, created_at AS "createdAt", ended_at AS "endedAt"
     FROM mails WHERE status IN ('FAILED', 'EXPIRED') ORDER BY ended_at DESC LIMIT $1`,
    [limit],
  );
}

/** Mails of a kind to an address that were written since a time. */
export async function countMailsSince(
  tx: SystemTransaction,
  mail: { readonly kind: string; readonly addressHashes: readonly Buffer[] },
  since: Date,
): Promise<number> {
  const rows = await tx.query<{ count: bigint }>(
    `SELECT count(*) AS count FROM mails
     WHERE address_hash = ANY ($1::bytea[]) AND kind = $2 AND created_at > $3`,
    [[...mail.addressHashes], mail.kind, since],
  );
  return Number(rows[0]?.count ?? 0n);
}

/** Lets one transaction at a time count and write the mails of requests for access. */
export async function lockMailsOfRequests(tx: SystemTransaction): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('mails of requests', 0))`);
}
