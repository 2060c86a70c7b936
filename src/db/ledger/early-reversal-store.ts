import type { AnyTransaction, SystemTransaction } from '../client/database.ts';
import type { StatementOrigin } from '../reconciliation/statement-store.ts';

/** The line of a statement that took a credit back before the credit itself was seen. */
export interface EarlyReversalRow {
  readonly statementId: bigint;
  readonly line: number;
}

/** The credit that such a line may have taken back. */
interface EarlyReversalWanted extends StatementOrigin {
  readonly currency: string;
  /** Major units, as the bank wrote it. */
  readonly amount: string;
  readonly bankReference: string | null;
  readonly reference: string;
  readonly bookedAt: Date | null;
}

/**
 * Waits until no other transaction takes credits of the same bank or takes them back, and keeps them waiting
 * until the transaction ends: else a credit and its reversal, looked at together, would miss each other.
 */
export async function lockCrediting(
  tx: AnyTransaction,
  { environment, connector }: StatementOrigin,
): Promise<void> {
  await tx.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('credits:' || $1::text || ':' || $2::text, 0))`,
    [environment, connector],
  );
}

/**
 * The oldest reversal that found no credit and that no credit has answered since: of the amount, and with
 * the creditor reference, or with none and under the same reference of the bank. A bank books it when
 * it booked the credit (give or take the 36 hours of its days) or later.
 */
export async function findEarlyReversal(
  tx: SystemTransaction,
  wanted: EarlyReversalWanted,
): Promise<EarlyReversalRow | null> {
  const rows = await tx.query<EarlyReversalRow>(
    `SELECT l.statement_id AS "statementId", l.line
     FROM statement_lines l JOIN statements s ON s.id = l.statement_id
     WHERE l.environment = :environment AND s.connector = :connector AND l.currency = :currency
       AND l.amount = :amount::numeric AND l.direction = 'DBIT' AND l.is_return
       AND l.exception = 'UNEXPECTED_AT_BANK' AND l.payment_id IS NULL AND l.credit_id IS NULL
       AND (:reference = ANY (l.creditor_references)
         OR l.bank_reference = :bankReference AND l.creditor_references = '{}')
       AND (l.booked_at >= :bookedAt::timestamptz - interval '36 hours') IS NOT FALSE
       AND NOT EXISTS (SELECT FROM incoming_credits c
         WHERE c.closing_statement_id = l.statement_id AND c.closing_line = l.line)
     ORDER BY l.statement_id, l.line LIMIT 1`,
    { ...wanted },
  );
  return rows[0] ?? null;
}

/** Notes which credit answers such a line, so that it answers no other. */
export async function answerEarlyReversal(
  tx: SystemTransaction,
  { statementId, line }: EarlyReversalRow,
  creditId: string,
): Promise<void> {
  await tx.query(
    `UPDATE statement_lines SET credit_id = $3
     WHERE statement_id = $1 AND line = $2 AND credit_id IS NULL`,
    [statementId, line, creditId],
  );
}
