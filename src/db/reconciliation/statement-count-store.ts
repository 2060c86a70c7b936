import type { BookedBefore, LineKind } from '../../domain/reconciliation/net-lines.ts';
import type { Environment } from '../../domain/scope.ts';
import type { SystemTransaction } from '../client/database.ts';

/** An attempt whose lines are counted; what was sent decides which kind a line is. */
interface CountedAttempt {
  readonly paymentId: string;
  /** In upper case. */
  readonly reference: string;
  /** Major units, decimal text. */
  readonly amount: string;
  readonly currency: string;
  /** Of the currency: a statement's amount with more is of no kind but an odd one. */
  readonly minorDigits: number;
  /** Its funds went back, so that every line is odd. */
  readonly isDead: boolean;
}

interface LineCountRow {
  readonly paymentId: string;
  readonly kind: LineKind;
  readonly isJudged: boolean;
  readonly count: bigint;
}

/**
 * Counts the booked lines of one statement that name the attempts, by payment and kind: a few rows for a
 * payment, however many lines it has. The kinds are those of `lineKindOf`, said in SQL, so that the
 * lines need not be read; a test holds one against the other. The statement is read once for all attempts.
 */
export async function countStatementLines(
  tx: SystemTransaction,
  statementId: bigint,
  attempts: readonly CountedAttempt[],
): Promise<LineCountRow[]> {
  if (attempts.length === 0) return [];
  return tx.query<LineCountRow>(
    `WITH named AS MATERIALIZED (
       SELECT * FROM statement_lines
       WHERE statement_id = :statementId AND upper(reference) = ANY (:references) AND booked
         AND reference IS NOT NULL AND (direction = 'DBIT' OR is_return))
     SELECT a.payment_id AS "paymentId", l.kind, l.is_judged AS "isJudged", count(*) AS count
     FROM unnest(:paymentIds::text[], :references::text[], :amounts::numeric[],
       :currencies::text[], :minorDigits::int[], :areDead::bool[])
       AS a (payment_id, reference, amount, currency, minor_digits, is_dead)
     CROSS JOIN LATERAL (
       SELECT l.judged_at IS NOT NULL AS is_judged,
         CASE
           WHEN a.is_dead OR l.currency <> a.currency OR l.amount > a.amount OR l.amount = 0
             OR trunc(l.amount, a.minor_digits) <> l.amount OR (l.direction = 'DBIT' AND l.amount < a.amount)
             THEN CASE l.direction WHEN 'DBIT' THEN 'ODD_DEBIT' ELSE 'ODD_RETURN' END
           WHEN l.direction = 'DBIT'
             THEN CASE WHEN l.is_reversal THEN 'RETURN_TAKEN_BACK' ELSE 'PAYOUT' END
           WHEN l.amount = a.amount THEN 'WHOLE_RETURN'
           ELSE 'PART_RETURN'
         END AS kind
       FROM named l
       WHERE upper(l.reference) = a.reference) l
     GROUP BY 1, 2, 3`,
    {
      statementId,
      paymentIds: attempts.map((attempt) => attempt.paymentId),
      references: attempts.map((attempt) => attempt.reference),
      amounts: attempts.map((attempt) => attempt.amount),
      currencies: attempts.map((attempt) => attempt.currency),
      minorDigits: attempts.map((attempt) => attempt.minorDigits),
      areDead: attempts.map((attempt) => attempt.isDead),
    },
  );
}

/**
 * What other statements have booked for each payment: judged lines that moved its money, whichever
 * attempt they named. Payments without any are left out.
 */
export async function countBookedBefore(
  tx: SystemTransaction,
  statement: { readonly id: bigint; readonly environment: Environment },
  paymentIds: readonly string[],
): Promise<ReadonlyMap<string, BookedBefore>> {
  if (paymentIds.length === 0) return new Map();
  const rows = await tx.query<{ paymentId: string } & Record<keyof BookedBefore, bigint>>(
    `SELECT payment_id AS "paymentId",
       count(*) FILTER (WHERE direction = 'DBIT') AS debits,
       count(*) FILTER (WHERE direction = 'CRDT') AS credits,
       count(*) FILTER (WHERE direction = 'DBIT' AND exception = 'AMOUNT_MISMATCH') AS mismatches
     FROM statement_lines
     WHERE payment_id = ANY ($3) AND environment = $2 AND statement_id <> $1 AND counts_for_payment
     GROUP BY payment_id`,
    [statement.id, statement.environment, [...paymentIds]],
  );
  return new Map(
    rows.map(({ paymentId, debits, credits, mismatches }) => [
      paymentId,
      {
        debits: Number(debits),
        credits: Number(credits),
        mismatches: Number(mismatches),
      },
    ]),
  );
}
