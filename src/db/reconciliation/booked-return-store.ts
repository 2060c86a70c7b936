import type { ScopedTransaction, SystemTransaction } from '../client/database.ts';

/**
 * Before a line of a payment in the scope moves money as its return: the credit of the same booking, which another report
 * has shown and somebody has; null where there is none. No later report of the booking credits anybody. Waits for what
 * decides credits of the bank, and keeps it waiting until the transaction ends.
 */
export async function takeReturn(
  tx: ScopedTransaction,
  statementId: bigint,
  line: number,
): Promise<string | null> {
  const [row] = await tx.query<{ creditId: string | null }>(
    'SELECT take_return($1, $2) AS "creditId"',
    [statementId, line],
  );
  return row?.creditId ?? null;
}

/**
 * In words, what has the booking of a line in the books: the line's credit, or a line of another report that names a payment.
 * Null where neither has. System role only.
 */
export async function findBookedElsewhere(
  tx: SystemTransaction,
  lineId: string,
): Promise<string | null> {
  const [row] = await tx.query<{ words: string | null }>(
    `SELECT coalesce(
       (SELECT 'Credit ' || c.id || ' (' || coalesce(c.outcome, 'it waits in suspense')
          || coalesce(', customer ' || c.customer_id, '') || ') shows the same booking.'
        FROM incoming_credits c WHERE c.id = l.credit_id),
       (SELECT 'Line ' || b.line || ' of statement ' || o.bank_statement_id
          || ' shows the same booking as a return of payment ' || b.payment_id || '.'
        FROM booked_returns b JOIN statements o ON o.id = b.statement_id
        WHERE b.environment = l.environment AND b.connector = s.connector
          AND b.key IN (SELECT booking_keys(l, true)) AND b.statement_id <> l.statement_id
        ORDER BY b.statement_id, b.line LIMIT 1)) AS words
     FROM statement_lines l JOIN statements s ON s.id = l.statement_id
     WHERE l.statement_id = split_part($1, '/', 1)::bigint AND l.line = split_part($1, '/', 2)::int`,
    [lineId],
  );
  return row?.words ?? null;
}

/** A debit that takes something back. */
interface TakingBack {
  readonly environment: string;
  readonly connector: string;
  readonly currency: string;
  /** Major units, as the bank wrote it. */
  readonly amount: string;
  readonly bankReference: string | null;
}

/** Whether the bank gave its reference to the return of a payment: then it takes that back, and no credit. System role only. */
export async function takesReturnBack(
  tx: SystemTransaction,
  { environment, connector, currency, amount, bankReference }: TakingBack,
): Promise<boolean> {
  if (bankReference === null) return false;
  const rows = await tx.query(
    `SELECT FROM booked_returns b JOIN statement_lines l USING (statement_id, line)
     WHERE b.environment = $1 AND b.connector = $2 AND l.credit_id IS NULL
       AND b.key = bank_reference_key('CRDT', $3, $4::numeric, $5) LIMIT 1`,
    [environment, connector, bankReference, amount, currency],
  );
  return rows.length > 0;
}

/**
 * SQL: marked returns `r` that a debit `d` of a statement `ds` may take back, under whatever reference of the bank: of its
 * amount, with a funding reference or the end-to-end reference of it, and not taken back yet or canceled by a line beside it.
 */
export const RETURNS_OF_DEBIT = `statement_lines r JOIN statements rs ON rs.id = r.statement_id
  WHERE r.environment = d.environment AND rs.connector = ds.connector AND r.currency = d.currency AND r.amount = d.amount
    AND r.direction = 'CRDT' AND r.is_return AND r.booked AND r.outcome IS DISTINCT FROM 'OFFSET'
    AND (r.creditor_references && d.creditor_references OR upper(r.reference) = upper(d.reference))
    AND (r.booked_at <= d.booked_at + interval '36 hours') IS NOT FALSE
    AND NOT EXISTS (SELECT FROM credit_reversals t WHERE t.credit_id = r.credit_id)
    AND NOT EXISTS (SELECT FROM incoming_credits c WHERE c.id = r.credit_id AND c.closing_line IS NOT NULL
      AND NOT EXISTS (SELECT FROM statement_lines o WHERE o.statement_id = c.closing_statement_id
        AND o.line = c.closing_line AND o.payment_id IS NOT NULL))`;

/** A line of a statement. */
interface LineKey {
  readonly statementId: bigint;
  readonly line: number;
}

/** Whether a debit may take a marked return back that shows another booking than a credit. System role only. */
export async function mayTakeReturnBack(
  tx: SystemTransaction,
  { statementId, line }: LineKey,
  creditId: string,
): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM statement_lines d JOIN statements ds ON ds.id = d.statement_id
     WHERE d.statement_id = $1 AND d.line = $2
       AND EXISTS (SELECT FROM ${RETURNS_OF_DEBIT} AND r.credit_id IS DISTINCT FROM $3)`,
    [statementId, line, creditId],
  );
  return rows.length > 0;
}

/** More of them are listed by nobody. */
const LISTED_MAX = 10;

/**
 * What a marked debit that takes nothing back yet may take back, in words, the newest first: credits with a reference of it,
 * and marked returns. At most 10. `minor` is its amount in minor units. System role only.
 */
export async function listTakenBack(
  tx: SystemTransaction,
  lineId: string,
  minor: bigint,
): Promise<string[]> {
  const rows = await tx.query<{ words: string }>(
    `WITH d AS (
       SELECT l.* FROM statement_lines l
       WHERE l.statement_id = split_part($1, '/', 1)::bigint AND l.line = split_part($1, '/', 2)::int
         AND l.direction = 'DBIT' AND l.is_return AND l.payment_id IS NULL AND l.credit_id IS NULL
     ), found AS (
       SELECT r.statement_id, r.line, rs.bank_statement_id, r.credit_id, r.payment_id, true AS is_return
       FROM d JOIN statements ds ON ds.id = d.statement_id
         CROSS JOIN LATERAL (SELECT r.* FROM ${RETURNS_OF_DEBIT}) r
         JOIN statements rs ON rs.id = r.statement_id
       UNION SELECT c.statement_id, c.line, s.bank_statement_id, c.id, NULL, is_marked_return(c.id)
       FROM d JOIN statements ds ON ds.id = d.statement_id
         JOIN incoming_credits c ON c.environment = d.environment AND c.connector = ds.connector
           AND c.currency = d.currency AND c.minor = $2
           AND (c.bank_reference = d.bank_reference OR c.reference = ANY (d.creditor_references))
         JOIN statements s ON s.id = c.statement_id
       WHERE c.outcome IS DISTINCT FROM 'CLOSED'
         AND NOT EXISTS (SELECT FROM credit_reversals t WHERE t.credit_id = c.id)
     )
     SELECT CASE WHEN f.is_return THEN 'the return' ELSE 'the credit' END || ' on line ' || f.line || ' of statement '
       || f.bank_statement_id || coalesce(' of payment ' || f.payment_id, '')
       || coalesce(' (' || c.id || ', ' || coalesce(c.outcome, 'in suspense')
         || coalesce(', customer ' || c.customer_id, '') || ')', '') AS words
     FROM found f LEFT JOIN incoming_credits c ON c.id = f.credit_id
     ORDER BY f.statement_id DESC, f.line LIMIT ${String(LISTED_MAX)}`,
    [lineId, minor],
  );
  return rows.map(({ words }) => words);
}
