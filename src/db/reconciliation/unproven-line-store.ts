import type { ScopedTransaction, SystemTransaction } from '../client/database.ts';

/** Lines of a statement that wait because its sums do not add up, by currency. */
interface UnprovenSum {
  readonly currency: string;
  readonly lines: number;
  /** Major units, decimal text. */
  readonly amount: string;
}

/** Of a statement, or of one of its entries. Empty where none waits. */
export async function sumUnprovenLines(
  tx: SystemTransaction,
  statementId: bigint,
  entry: number | null,
): Promise<UnprovenSum[]> {
  return tx.query<UnprovenSum>(
    `SELECT currency, count(*)::int AS lines, sum(amount)::text AS amount FROM statement_lines
     WHERE statement_id = $1 AND outcome = 'EXCEPTION' AND payment_id IS NULL
       AND exception = 'UNPROVEN_SUM' AND ($2::int IS NULL OR entry = $2)
       AND NOT is_exception_ended(statement_id::text || '/' || line::text)
     GROUP BY currency ORDER BY currency`,
    [statementId, entry],
  );
}

/**
 * Lets such lines have their effect, by the approval `subjectId` that the transaction uses: they are judged anew.
 * Answers how many there were.
 */
export async function acceptUnprovenLines(
  tx: ScopedTransaction,
  subjectId: string,
  statementId: bigint,
  entry: number | null,
): Promise<number> {
  const [row] = await tx.query<{ accepted: bigint }>(
    'SELECT accept_statement_sums($1, $2, $3) AS accepted',
    [subjectId, statementId, entry],
  );
  return Number(row?.accepted ?? 0);
}
