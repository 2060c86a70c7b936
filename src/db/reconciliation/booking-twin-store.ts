import type { SystemTransaction } from '../client/database.ts';

/** A line that is an exception, by its exception's id: `12/3`. */
type LineId = string;

/** In words, which other line that shows the same booking has moved its money; null where none has. System role only. */
export async function findMovedBooking(
  tx: SystemTransaction,
  lineId: LineId,
): Promise<string | null> {
  const [row] = await tx.query<{ moved: string | null }>(
    `SELECT booking_moved_by(split_part($1, '/', 1)::bigint, split_part($1, '/', 2)::int) AS moved`,
    [lineId],
  );
  return row?.moved ?? null;
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
     ORDER BY o.statement_id, o.line LIMIT ${String(TWINS_MAX)}`,
    [lineId],
  );
  return rows.map(({ twin }) => twin);
}
