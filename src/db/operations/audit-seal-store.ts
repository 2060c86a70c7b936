import type { AuditRecord, AuditSeal } from '../../domain/audit-seal.ts';
import type { SystemTransaction } from '../client/database.ts';

/** A time in UTC, to the microsecond. `infinity` has no such form and stays what it is. */
const utc = (column: string): string =>
  `coalesce(to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), ${column}::text)`;

const SEAL = `number, first_id AS "firstId", last_id AS "lastId", row_count AS rows,
  encode(previous_hash, 'hex') AS "previousHash", encode(hash, 'hex') AS hash, encode(mac, 'hex') AS mac,
  ${utc('sealed_at')} AS "sealedAt"`;

/** The newest row that is committed, where it is not sealed; null where it is, or there is none. */
export async function findUnsealedEnd(tx: SystemTransaction): Promise<bigint | null> {
  const [found] = await tx.query<{ end: bigint | null }>(
    `SELECT max(id) AS end FROM audit_log
     WHERE id > coalesce((SELECT last_id FROM audit_seals ORDER BY number DESC LIMIT 1), 0)`,
  );
  return found?.end ?? null;
}

/**
 * Which transactions may have an id of the audit log and have not committed it. Each holds this lock from before it draws
 * the id until it has ended, and what it committed is then seen.
 */
const WRITERS = `SELECT l.virtualtransaction AS id FROM pg_locks l
  JOIN pg_database d ON d.oid = l.database
  WHERE d.datname = current_database() AND l.relation = 'audit_log'::regclass
    AND l.mode = 'RowExclusiveLock' AND l.granted`;

/** Transactions that write to the audit log at this moment. */
export async function readAuditWriters(tx: SystemTransaction): Promise<string[]> {
  return (await tx.query<{ id: string }>(WRITERS)).map(({ id }) => id);
}

export async function findNewestSeal(tx: SystemTransaction): Promise<AuditSeal | null> {
  const [newest] = await tx.query<AuditSeal>(
    `SELECT ${SEAL} FROM audit_seals ORDER BY number DESC LIMIT 1`,
  );
  return newest ?? null;
}

/** The rows after one and up to another, in order, `limit` at the most. */
export function readAuditRecords(
  tx: SystemTransaction,
  after: bigint,
  upTo: bigint,
  limit: number,
): Promise<AuditRecord[]> {
  return tx.query<AuditRecord>(
    `SELECT id, ${utc('at')} AS at, actor, action, customer_id AS "customerId", environment, subject,
       details::text AS details
     FROM audit_log WHERE id > :after AND id <= :upTo ORDER BY id LIMIT :limit`,
    { after, upTo, limit },
  );
}

export async function insertSeal(
  tx: SystemTransaction,
  seal: Omit<AuditSeal, 'sealedAt'>,
  at: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO audit_seals (number, first_id, last_id, row_count, previous_hash, hash, mac, sealed_at)
     VALUES (:number, :firstId, :lastId, :rows, decode(:previousHash, 'hex'), decode(:hash, 'hex'),
       decode(:mac, 'hex'), :at)`,
    {
      ...{ number: seal.number, firstId: seal.firstId, lastId: seal.lastId, rows: seal.rows },
      ...{ previousHash: seal.previousHash, hash: seal.hash, mac: seal.mac, at },
    },
  );
}

/**
 * Seals after a number, from the first that was made from one time on to the last that was made before another, in order,
 * `limit` at the most. A seal between the two is in it even where the clock of its worker was wrong: without it the
 * chain of an export would not hold.
 */
export function listSeals(
  tx: SystemTransaction,
  after: bigint,
  made: { readonly from: Date | null; readonly before: Date | null },
  limit: number,
): Promise<AuditSeal[]> {
  return tx.query<AuditSeal>(
    `SELECT ${SEAL} FROM audit_seals
     WHERE number > :after
       AND (:from::timestamptz IS NULL
         OR number >= (SELECT min(number) FROM audit_seals WHERE sealed_at >= :from))
       AND (:before::timestamptz IS NULL
         OR number <= (SELECT max(number) FROM audit_seals WHERE sealed_at < :before))
     ORDER BY number LIMIT :limit`,
    { after, from: made.from, before: made.before, limit },
  );
}
