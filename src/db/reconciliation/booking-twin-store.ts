import type { SystemTransaction } from '../client/database.ts';

/** A line that is an exception, by its exception's id: `12/3`. */
type LineId = string;

/**
 * In words, which other line that shows the same booking has moved its money; null where none has. Lines that show
 * `creditId`, the line's own credit, do not count, nor do those of a credit that the line has closed. System role only.
 */
export async function findMovedBooking(
  tx: SystemTransaction,
  lineId: LineId,
  creditId: string | null = null,
): Promise<string | null> {
  const [row] = await tx.query<{ moved: string | null }>(
    `SELECT booking_moved_by(statement, line, coalesce($2, credit_closed_by(statement, line))) AS moved
     FROM (SELECT split_part($1, '/', 1)::bigint AS statement, split_part($1, '/', 2)::int AS line) l`,
    [lineId, creditId],
  );
  return row?.moved ?? null;
}

/** The same of a credit: of every line that shows it, or a line that shows it as the return of a payment. System role only. */
export async function findMovedCredit(
  tx: SystemTransaction,
  creditId: string,
): Promise<string | null> {
  const [row] = await tx.query<{ moved: string | null }>(
    `SELECT coalesce(min(booking_moved_by(l.statement_id, l.line, l.credit_id)), return_shown_of($1)) AS moved
     FROM statement_lines l WHERE l.credit_id = $1 AND l.direction = 'CRDT'`,
    [creditId],
  );
  return row?.moved ?? null;
}

/** In words, which line of another report shows a credit as the return of a payment; null where none does. System role only. */
export async function findShownReturn(
  tx: SystemTransaction,
  creditId: string,
): Promise<string | null> {
  const [row] = await tx.query<{ shown: string | null }>('SELECT return_shown_of($1) AS shown', [
    creditId,
  ]);
  return row?.shown ?? null;
}

/** A credit that may be the same booking as another one, and what became of it in words. */
export interface DecidedAlike {
  readonly id: string;
  readonly said: string;
}

/** The one that left suspense, of those that may be the same booking as a credit; null where none did. System role only. */
export async function findDecidedAlike(
  tx: SystemTransaction,
  creditId: string,
): Promise<DecidedAlike | null> {
  const [row] = await tx.query<DecidedAlike>('SELECT id, said FROM decided_alike($1)', [creditId]);
  return row ?? null;
}

/** Whether the bank marks a line as the return of a payment, or as what takes a credit back. System role only. */
export async function isMarkedReturn(tx: SystemTransaction, lineId: LineId): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM statement_lines WHERE statement_id = split_part($1, '/', 1)::bigint
       AND line = split_part($1, '/', 2)::int AND is_return`,
    [lineId],
  );
  return rows.length > 0;
}

/** Whether a line of a credit is marked as the return of a payment, or a debit has taken the credit back. System role only. */
export async function hasReturningLine(tx: SystemTransaction, creditId: string): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM statement_lines WHERE credit_id = $1 AND (direction = 'DBIT' OR is_return) LIMIT 1`,
    [creditId],
  );
  return rows.length > 0;
}

/** Whether an act that stands has booked the money of another line that shows the same booking. System role only. */
export async function isBookedByAct(
  tx: SystemTransaction,
  { statementId, line }: { readonly statementId: bigint; readonly line: number },
): Promise<boolean> {
  // No credit has the empty id: credits that came in do not count.
  return (await findMovedBooking(tx, `${String(statementId)}/${String(line)}`, '')) !== null;
}

/** More than these are counted by nobody: the bank's references tell so many lines apart, or nothing does. */
const TWINS_MAX = 10;

/**
 * Lines of other reports of the bank that may show the same booking: booked within 36 hours, of the same direction, amount
 * and currency, and without references of the bank that tell them apart. Each in words, the oldest first; at most 10. Only
 * reports of about the same time are looked at. System role only.
 */
export async function listLikelyTwins(tx: SystemTransaction, lineId: LineId): Promise<string[]> {
  const rows = await tx.query<{ twin: string }>(
    `SELECT s.bank_statement_id || ' line ' || o.line || ': '
       || coalesce(o.exception, o.outcome, 'not judged yet') || coalesce(', payment ' || o.payment_id, '')
       || coalesce(', credit ' || o.credit_id, '') || coalesce(', ended by ' || (
         SELECT a.id FROM exception_acts a WHERE a.exception_id = o.statement_id::text || '/' || o.line::text
           AND a.act <> 'REVERSE' AND NOT EXISTS (SELECT FROM exception_acts r WHERE r.reverses = a.id)), '') AS twin
     FROM statement_lines l JOIN statements mine ON mine.id = l.statement_id
     JOIN statements s ON s.environment = mine.environment AND s.connector = mine.connector AND s.id <> mine.id
       AND coalesce(s.to_at, s.listed_at) >= coalesce(l.booked_at, mine.from_at, mine.listed_at) - interval '36 hours'
       AND coalesce(s.from_at, s.listed_at) <= coalesce(l.booked_at, mine.to_at, mine.listed_at) + interval '36 hours'
     JOIN statement_lines o ON o.statement_id = s.id
     WHERE l.statement_id = split_part($1, '/', 1)::bigint AND l.line = split_part($1, '/', 2)::int
       AND o.booked AND o.direction = l.direction AND o.currency = l.currency AND o.amount = l.amount
       AND (o.booked_at BETWEEN l.booked_at - interval '36 hours' AND l.booked_at + interval '36 hours')
         IS NOT FALSE
       AND (o.bank_reference = l.bank_reference) IS NOT FALSE
       AND (o.credit_id = l.credit_id) IS NOT TRUE
     ORDER BY o.statement_id, o.line LIMIT ${String(TWINS_MAX)}`,
    [lineId],
  );
  return rows.map(({ twin }) => twin);
}

/** In words, which line of a statement shows a debit of a payment; null where none does. System role only. */
export async function findShownDebit(
  tx: SystemTransaction,
  paymentId: string,
): Promise<string | null> {
  const [row] = await tx.query<{ shown: string | null }>('SELECT debit_shown_of($1) AS shown', [
    paymentId,
  ]);
  return row?.shown ?? null;
}

/**
 * Debits without a payment that may be a payment's although they do not bear its reference: of its amount and currency,
 * and no earlier than 36 hours before it was settled. Each in words, the newest first; at most 10. `amount` is the
 * payment's in major units. System role only.
 */
export async function listLikelyDebits(
  tx: SystemTransaction,
  paymentId: string,
  amount: string,
): Promise<string[]> {
  const rows = await tx.query<{ twin: string }>(
    `SELECT s.bank_statement_id || ' line ' || l.line || ': ' || l.exception
       || coalesce(', credit ' || l.credit_id, '') AS twin
     FROM payments p JOIN statement_lines l ON l.environment = p.environment AND l.currency = p.currency
     JOIN statements s ON s.id = l.statement_id
     WHERE p.id = $1 AND l.outcome = 'EXCEPTION' AND l.payment_id IS NULL AND l.direction = 'DBIT'
       AND l.amount = $2::numeric AND (l.booked_at >= (SELECT max(a.settled_at) FROM settlement_attempts a
         WHERE a.payment_id = p.id) - interval '36 hours') IS NOT FALSE
     ORDER BY l.statement_id DESC, l.line LIMIT ${String(TWINS_MAX)}`,
    [paymentId, amount],
  );
  return rows.map(({ twin }) => twin);
}
