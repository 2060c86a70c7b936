import type { Direction } from '../../domain/reconciliation/statement-types.ts';
import type { Environment } from '../../domain/scope.ts';
import type { SystemTransaction } from '../client/database.ts';

export interface NewStatementLine {
  readonly line: number;
  /** Of the booking that the line is a part of: 1-based across the file. */
  readonly entry: number;
  readonly reference: string | null;
  readonly bankReference: string | null;
  /** Major units, plain decimal text as the bank wrote it. */
  readonly amount: string;
  readonly currency: string;
  readonly direction: Direction;
  readonly isReversal: boolean;
  readonly booked: boolean;
  readonly bookedAt: Date | null;
  readonly reason: string | null;
  /** The bank marks it as the return or reversal of an earlier movement. */
  readonly isReturn: boolean;
  /** Of a credit or a return: ISO 11649 references that it bears. */
  readonly creditorReferences: readonly string[];
  /** What tells a credit, or what takes one back, from another one; null where the bank says nothing. */
  readonly bookingKey: Buffer | null;
  /** Of the same: each reference that a bank gave it, as `<kind>:<hash>`. */
  readonly bookingReferences: readonly string[];
  /** The bank's reference is of an entry with several transactions. */
  readonly isEntryReference: boolean;
}

/** A line that waits to be judged. */
export interface UnjudgedLine extends Omit<NewStatementLine, 'bookingReferences'> {
  /** The sums of its entry or statement do not add up, and nobody has accepted them. */
  readonly unproven: boolean;
}

/**
 * Stores lines of a statement that the reading of this number found. Answers false, and stores none,
 * where another reading has begun since, or has ended. System role only.
 */
export async function insertStatementLines(
  tx: SystemTransaction,
  statement: { readonly id: bigint; readonly environment: Environment },
  reading: number,
  lines: readonly NewStatementLine[],
): Promise<boolean> {
  const newest = await tx.query(
    `SELECT FROM statements
     WHERE id = $1 AND readings = $2 AND status IN ('LISTED', 'UNREADABLE') FOR SHARE`,
    [statement.id, reading],
  );
  if (newest.length === 0) return false;
  await tx.query(
    `INSERT INTO statement_lines (statement_id, environment, line, entry, reference, bank_reference,
       amount, currency, direction, is_reversal, booked, booked_at, reason,
       is_return, booking_key, creditor_references, booking_references, is_entry_reference)
     SELECT :statementId, :environment, line, entry, reference, bank_reference, amount, currency,
       direction, is_reversal, booked, booked_at, reason, is_return, booking_key,
       coalesce(string_to_array(creditor_references, ' '), '{}'),
       coalesce(string_to_array(booking_references, ' '), '{}'), is_entry_reference
     FROM unnest(:lines::int[], :entries::int[], :references::text[], :bankReferences::text[],
       :amounts::numeric[], :currencies::text[], :directions::text[], :areReversals::bool[],
       :areBooked::bool[], :bookedAts::timestamptz[], :reasons::text[],
       :areReturns::bool[], :bookingKeys::bytea[], :creditorReferences::text[],
       :bookingReferences::text[], :areEntryReferences::bool[])
       AS l (line, entry, reference, bank_reference, amount, currency, direction, is_reversal, booked,
         booked_at, reason, is_return, booking_key, creditor_references, booking_references,
         is_entry_reference)`,
    {
      statementId: statement.id,
      environment: statement.environment,
      lines: lines.map((line) => line.line),
      entries: lines.map((line) => line.entry),
      references: lines.map((line) => line.reference),
      bankReferences: lines.map((line) => line.bankReference),
      amounts: lines.map((line) => line.amount),
      currencies: lines.map((line) => line.currency),
      directions: lines.map((line) => line.direction),
      areReversals: lines.map((line) => line.isReversal),
      areBooked: lines.map((line) => line.booked),
      bookedAts: lines.map((line) => line.bookedAt),
      reasons: lines.map((line) => line.reason),
      areReturns: lines.map((line) => line.isReturn),
      bookingKeys: lines.map((line) => line.bookingKey),
      // Lists of different lengths are no array of PostgreSQL's; references have no blanks.
      creditorReferences: lines.map(({ creditorReferences }) => joined(creditorReferences)),
      bookingReferences: lines.map(({ bookingReferences }) => joined(bookingReferences)),
      areEntryReferences: lines.map((line) => line.isEntryReference),
    },
  );
  return true;
}

const joined = (texts: readonly string[]): string | null =>
  texts.length === 0 ? null : texts.join(' ');

/** The next lines of a statement that are not judged yet, in their order. */
export async function readUnjudgedLines(
  tx: SystemTransaction,
  statementId: bigint,
  limit: number,
): Promise<UnjudgedLine[]> {
  return tx.query<UnjudgedLine>(
    `SELECT line, entry, reference, bank_reference AS "bankReference", amount::text AS amount,
       currency, direction, is_reversal AS "isReversal", booked, booked_at AS "bookedAt", reason,
       is_return AS "isReturn", booking_key AS "bookingKey",
       creditor_references AS "creditorReferences", is_entry_reference AS "isEntryReference",
       unproven
     FROM statement_lines
     WHERE statement_id = $1 AND processed_at IS NULL AND judged_at IS NULL
     ORDER BY line LIMIT $2`,
    [statementId, limit],
  );
}

type LineOutcomeName =
  | 'RECONCILED'
  | 'RETURN'
  | 'OFFSET'
  /** Shows what a line of another statement showed: see repeated-line-store.ts. */
  | 'REPEATED'
  | 'EXCEPTION'
  | 'IGNORED'
  /** Money that came in and is no payment's: see crediting-line-store.ts. */
  | 'CREDIT'
  /** The bank took such money back. */
  | 'CREDIT_REVERSAL';

export interface JudgedLine {
  readonly line: number;
  readonly outcome: LineOutcomeName;
  readonly exception: string | null;
  readonly customerId: string | null;
  readonly paymentId: string | null;
  readonly countsForPayment: boolean;
}

/** Writes what lines were judged to be. Those that ask nothing of a payment are done with that. */
export async function saveJudgedLines(
  tx: SystemTransaction,
  statementId: bigint,
  lines: readonly JudgedLine[],
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE statement_lines AS l SET outcome = j.outcome, exception = j.exception,
       customer_id = j.customer_id, payment_id = j.payment_id,
       counts_for_payment = j.counts_for_payment, judged_at = :now,
       processed_at = CASE
         WHEN j.payment_id IS NULL OR j.outcome IN ('OFFSET', 'REPEATED') THEN :now::timestamptz END
     FROM unnest(:lines::int[], :outcomes::text[], :exceptions::text[], :customerIds::text[],
       :paymentIds::text[], :counts::bool[])
       AS j (line, outcome, exception, customer_id, payment_id, counts_for_payment)
     WHERE l.statement_id = :statementId AND l.line = j.line`,
    {
      statementId,
      lines: lines.map((line) => line.line),
      outcomes: lines.map((line) => line.outcome),
      exceptions: lines.map((line) => line.exception),
      customerIds: lines.map((line) => line.customerId),
      paymentIds: lines.map((line) => line.paymentId),
      counts: lines.map((line) => line.countsForPayment),
      now,
    },
  );
}

/** A judged line with all that applying it to its payment takes. */
export interface LineToApply {
  readonly line: number;
  readonly reference: string;
  readonly bankReference: string | null;
  readonly amount: string;
  readonly currency: string;
  readonly bookedAt: Date | null;
  readonly reason: string | null;
  readonly outcome: Extract<LineOutcomeName, 'RECONCILED' | 'RETURN' | 'EXCEPTION'>;
  readonly exception: string | null;
  readonly customerId: string;
  readonly paymentId: string;
  /** Money came in: the bank marks it as the return of the payment. */
  readonly isReturn: boolean;
}

/** Judged lines beyond `after` whose payments have not been told, in their order. */
export async function readLinesToApply(
  tx: SystemTransaction,
  statementId: bigint,
  after: number,
  limit: number,
): Promise<LineToApply[]> {
  return tx.query<LineToApply>(
    `SELECT line, upper(reference) AS reference, bank_reference AS "bankReference",
       amount::text AS amount, currency, booked_at AS "bookedAt", reason, outcome, exception,
       customer_id AS "customerId", payment_id AS "paymentId", direction = 'CRDT' AS "isReturn"
     FROM statement_lines
     WHERE statement_id = $1 AND line > $2 AND processed_at IS NULL AND judged_at IS NOT NULL
     ORDER BY line LIMIT $3`,
    [statementId, after, limit],
  );
}

export interface AppliedLine {
  readonly line: number;
  readonly outcome: LineOutcomeName;
  readonly exception: string | null;
  /** The credit that shows the same booking, where somebody has it. */
  readonly creditId?: string;
}

/** Marks lines as done, with what became of them. Those that were marked before stay as they are. */
export async function markLinesProcessed(
  tx: SystemTransaction,
  statementId: bigint,
  lines: readonly AppliedLine[],
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE statement_lines AS l SET outcome = d.outcome, exception = d.exception, processed_at = $5,
       credit_id = coalesce(d.credit_id, l.credit_id)
     FROM unnest($2::int[], $3::text[], $4::text[], $6::text[]) AS d (line, outcome, exception, credit_id)
     WHERE l.statement_id = $1 AND l.line = d.line AND l.processed_at IS NULL`,
    [
      statementId,
      lines.map((line) => line.line),
      lines.map((line) => line.outcome),
      lines.map((line) => line.exception),
      now,
      lines.map(({ creditId = null }) => creditId),
    ],
  );
}
