import type { AnyTransaction, SystemTransaction } from '../client/database.ts';
import { RETURNS_OF_DEBIT } from '../reconciliation/booked-return-store.ts';
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
  /** The same in minor units. */
  readonly minor: bigint;
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
 * it booked the credit (give or take the 36 hours of its days) or later. None that an act has ended, whose booking has
 * moved money by another line, or that may take back what came before it: a marked return, or a credit that left suspense.
 */
export async function findEarlyReversal(
  tx: SystemTransaction,
  wanted: EarlyReversalWanted,
): Promise<EarlyReversalRow | null> {
  const rows = await tx.query<EarlyReversalRow>(
    `SELECT d.statement_id AS "statementId", d.line
     FROM statement_lines d JOIN statements ds ON ds.id = d.statement_id
     WHERE d.environment = :environment AND ds.connector = :connector AND d.currency = :currency
       AND d.amount = :amount::numeric AND d.direction = 'DBIT' AND d.is_return
       AND d.exception = 'UNEXPECTED_AT_BANK' AND d.payment_id IS NULL AND d.credit_id IS NULL
       AND (:reference = ANY (d.creditor_references)
         OR d.bank_reference = :bankReference AND d.creditor_references = '{}')
       AND (d.booked_at >= :bookedAt::timestamptz - interval '36 hours') IS NOT FALSE
       AND NOT EXISTS (SELECT FROM incoming_credits c
         WHERE c.closing_statement_id = d.statement_id AND c.closing_line = d.line)
       AND NOT is_exception_ended(d.statement_id::text || '/' || d.line::text)
       AND booking_moved_by(d.statement_id, d.line) IS NULL
       AND NOT EXISTS (SELECT FROM incoming_credits c
         WHERE c.environment = :environment AND c.connector = :connector AND c.currency = :currency
           AND c.minor = :minor AND c.bank_reference = d.bank_reference
           AND (c.outcome IN ('RETURNED', 'WRITTEN_OFF', 'TIED') OR c.outcome = 'CLOSED'
             AND (c.closing_statement_id, c.closing_line) <> (c.statement_id, c.line)))
       AND NOT EXISTS (SELECT FROM booked_returns b WHERE b.environment = :environment AND b.connector = :connector
         AND b.key = bank_reference_key('CRDT', d.bank_reference, d.amount, d.currency))
       AND NOT EXISTS (SELECT FROM ${RETURNS_OF_DEBIT})
     ORDER BY d.statement_id, d.line LIMIT 1`,
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
