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
