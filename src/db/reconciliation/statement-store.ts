import type { ReportKind } from '../../domain/reconciliation/statement-types.ts';
import type { StatementStatus } from '../../domain/reconciliation/statement-status.ts';
import type { Environment } from '../../domain/scope.ts';
import type { SystemTransaction } from '../client/database.ts';

/** Something about a statement that a human should know: a code and facts, never a bank's free text. */
export type StatementProblemRow = Readonly<{ code: string }> & Readonly<Record<string, unknown>>;

export interface StatementRow {
  readonly id: bigint;
  readonly environment: Environment;
  readonly connector: string;
  readonly bankStatementId: string;
  readonly sequence: bigint;
  readonly toAt: Date | null;
  readonly status: StatementStatus;
  readonly problems: readonly StatementProblemRow[];
}

const COLUMNS = `id, environment, connector, bank_statement_id AS "bankStatementId", sequence,
  to_at AS "toAt", status, problems`;

/** Whose statements: they belong to an environment and a connector, and to no customer. */
export interface StatementOrigin {
  readonly environment: Environment;
  readonly connector: string;
}

export interface ListedStatement {
  readonly bankStatementId: string;
  readonly sequence: bigint;
  readonly account: string;
  readonly fromAt: Date;
  readonly toAt: Date;
  readonly problems: readonly StatementProblemRow[];
}

interface NumberingRow {
  readonly series: number;
  readonly sequence: bigint;
  readonly toAt: Date | null;
  /** When a statement was last taken, by our clock. */
  readonly listedAt: Date;
}

/** The newest numbering of a connector's statements; null before the first. Refused ones are no part. */
export async function findNumbering(
  tx: SystemTransaction,
  { environment, connector }: StatementOrigin,
): Promise<NumberingRow | null> {
  const rows = await tx.query<NumberingRow>(
    `SELECT series, sequence, whole.to_at AS "toAt", whole.listed_at AS "listedAt"
     FROM statements, (
       SELECT max(to_at) AS to_at, max(listed_at) AS listed_at FROM statements
       WHERE environment = $1 AND connector = $2 AND status <> 'REFUSED') AS whole
     WHERE environment = $1 AND connector = $2 AND status <> 'REFUSED'
     ORDER BY series DESC, sequence DESC LIMIT 1`,
    [environment, connector],
  );
  return rows[0] ?? null;
}

interface NewStatement extends ListedStatement {
  readonly series: number;
  readonly status: 'LISTED' | 'REFUSED';
}

/** Which of the ids belong to statements that are stored, with their sequences. */
export async function findKnownStatements(
  tx: SystemTransaction,
  { environment, connector }: StatementOrigin,
  bankStatementIds: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await tx.query<{ id: string; sequence: bigint }>(
    `SELECT bank_statement_id AS id, sequence FROM statements
     WHERE environment = $1 AND connector = $2 AND bank_statement_id = ANY ($3)`,
    [environment, connector, [...bankStatementIds]],
  );
  return new Map(rows.map(({ id, sequence }) => [id, sequence]));
}

/** Waits until no other list of the connector is being stored, until the transaction ends. */
export async function lockListing(
  tx: SystemTransaction,
  { environment, connector }: StatementOrigin,
): Promise<void> {
  await tx.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('listing:' || $1::text || ':' || $2::text, 0))`,
    [environment, connector],
  );
}

/**
 * Stores a statement that the bank lists under a new id. Answers its id; null, and nothing is stored,
 * where its number belongs to another statement of the series.
 */
export async function insertStatement(
  tx: SystemTransaction,
  { environment, connector }: StatementOrigin,
  listed: NewStatement,
  now: Date,
): Promise<bigint | null> {
  const added = await tx.query<{ id: bigint }>(
    `INSERT INTO statements (environment, connector, bank_statement_id, series, sequence, account,
       from_at, to_at, status, problems, listed_at)
     VALUES (:environment, :connector, :bankStatementId, :series, :sequence, :account, :fromAt,
       :toAt, :status, :problems, :now)
     ON CONFLICT DO NOTHING RETURNING id`,
    {
      environment,
      connector,
      bankStatementId: listed.bankStatementId,
      series: listed.series,
      sequence: listed.sequence,
      account: listed.account,
      fromAt: listed.fromAt,
      toAt: listed.toAt,
      status: listed.status,
      problems: JSON.stringify(listed.problems),
      now,
    },
  );
  return added[0]?.id ?? null;
}

/**
 * Statements with work left, at most `limit`: half of them the oldest, the unreadable ones last, and half drawn from the
 * others, so that statements that no attempt can fetch keep no later one from its turn.
 */
export async function listUnfinishedStatements(
  tx: SystemTransaction,
  { environment, connector }: StatementOrigin,
  limit: number,
): Promise<StatementRow[]> {
  return tx.query<StatementRow>(
    `WITH unfinished AS (
       SELECT id, row_number() OVER (ORDER BY (status = 'UNREADABLE'), series, sequence) AS place
       FROM statements
       WHERE environment = :environment AND connector = :connector
         AND status NOT IN ('RECONCILED', 'REFUSED')
     ), chosen AS (
       SELECT id FROM unfinished ORDER BY place > :oldest, CASE WHEN place > :oldest THEN random() END
       LIMIT :limit
     )
     SELECT ${COLUMNS} FROM statements WHERE id IN (SELECT id FROM chosen)
     ORDER BY (status = 'UNREADABLE'), series, sequence`,
    { environment, connector, limit, oldest: Math.ceil(limit / 2) },
  );
}

/** Makes a refused statement one that is read. Answers false where there is no such refused one. */
export async function acceptRefusedStatement(
  tx: SystemTransaction,
  { environment, connector }: StatementOrigin,
  bankStatementId: string,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE statements SET status = 'LISTED'
     WHERE environment = $1 AND connector = $2 AND bank_statement_id = $3 AND status = 'REFUSED'
     RETURNING id`,
    [environment, connector, bankStatementId],
  );
  return rows.length > 0;
}

export async function findStatement(
  tx: SystemTransaction,
  id: bigint,
): Promise<StatementRow | null> {
  const rows = await tx.query<StatementRow>(`SELECT ${COLUMNS} FROM statements WHERE id = $1`, [
    id,
  ]);
  return rows[0] ?? null;
}

/** A statement by the bank's own id of it. */
export async function findStatementByBankId(
  tx: SystemTransaction,
  { environment, connector }: StatementOrigin,
  bankStatementId: string,
): Promise<StatementRow | null> {
  const rows = await tx.query<StatementRow>(
    `SELECT ${COLUMNS} FROM statements
     WHERE environment = $1 AND connector = $2 AND bank_statement_id = $3`,
    [environment, connector, bankStatementId],
  );
  return rows[0] ?? null;
}

/**
 * Begins a reading: what an earlier one stored is dropped. Answers the reading's number, counted from 1;
 * null where the statement has been read.
 */
export async function beginStatementReading(
  tx: SystemTransaction,
  id: bigint,
): Promise<number | null> {
  const rows = await tx.query<{ readings: number }>(
    `UPDATE statements SET readings = readings + 1
     WHERE id = $1 AND status IN ('LISTED', 'UNREADABLE') RETURNING readings`,
    [id],
  );
  const [begun] = rows;
  if (begun === undefined) return null;
  await tx.query('DELETE FROM statement_lines WHERE statement_id = $1', [id]);
  return begun.readings;
}

/** What reading a statement brought to light beside its lines. */
interface StatementReading {
  readonly number: number;
  readonly status: 'READ' | 'UNREADABLE';
  readonly lineCount: number;
  readonly currencies: readonly string[];
  readonly problems: readonly StatementProblemRow[];
  readonly report: ReportKind;
  /** What does not add up: entries by number, and currencies whole. */
  readonly unproven: {
    readonly entries: readonly number[];
    readonly currencies: readonly string[];
  };
}

/**
 * Ends a reading; its alarms are due unless it found no more than was known. Answers how often the file
 * could not be read by now, this time included; null where another reading has begun since, or has ended.
 */
export async function saveStatementReading(
  tx: SystemTransaction,
  id: bigint,
  reading: StatementReading,
): Promise<{ readonly unreadableReadings: number } | null> {
  const { entries, currencies } = reading.unproven;
  if (entries.length + currencies.length > 0) {
    // Before the statement is read to its end: nothing of it is judged until then.
    await tx.query(
      `UPDATE statement_lines l SET unproven = true FROM statements s
       WHERE s.id = $1 AND s.readings = $2 AND s.status IN ('LISTED', 'UNREADABLE')
         AND l.statement_id = s.id AND l.booked AND l.direction = 'CRDT'
         AND (l.entry = ANY ($3) OR l.currency = ANY ($4))`,
      [id, reading.number, [...entries], [...currencies]],
    );
  }
  const rows = await tx.query<{ unreadableReadings: number }>(
    `UPDATE statements SET status = :status, line_count = :lineCount, currencies = :currencies,
       problems = :problems::jsonb, report = :report,
       unreadable_readings = unreadable_readings + (:status = 'UNREADABLE')::int,
       alarmed_at = CASE WHEN problems = :problems::jsonb AND :status = 'READ' THEN alarmed_at END
     WHERE id = :id AND readings = :number AND status IN ('LISTED', 'UNREADABLE')
     RETURNING unreadable_readings AS "unreadableReadings"`,
    {
      id,
      number: reading.number,
      status: reading.status,
      lineCount: reading.lineCount,
      currencies: [...reading.currencies],
      report: reading.report,
      problems: JSON.stringify(reading.problems),
    },
  );
  return rows[0] ?? null;
}

/** Marks a statement as done, once none of its lines waits any more. Answers whether it is done. */
export async function finishStatement(
  tx: SystemTransaction,
  id: bigint,
  now: Date,
): Promise<boolean> {
  await tx.query(
    `UPDATE statements SET status = 'RECONCILED', reconciled_at = $2
     WHERE id = $1 AND status = 'READ' AND NOT EXISTS (
       SELECT FROM statement_lines WHERE statement_id = $1 AND processed_at IS NULL)
       AND NOT EXISTS (
         SELECT FROM statement_lines l WHERE l.statement_id = $1 AND l.environment = statements.environment
           AND l.outcome IN ('CREDIT', 'CREDIT_REVERSAL') AND l.credit_id IS NULL)`,
    [id, now],
  );
  return (await findStatement(tx, id))?.status === 'RECONCILED';
}
