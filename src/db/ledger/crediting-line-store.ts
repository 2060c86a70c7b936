import type { SystemTransaction } from '../client/database.ts';
import type { ReportKind } from '../../domain/reconciliation/statement-types.ts';
import type { StatementOrigin } from '../reconciliation/statement-store.ts';

/** A line that was judged as a credit, matched or not, or as one taken back, and has not been applied yet. */
export interface CreditingLineRow {
  readonly statementId: bigint;
  readonly line: number;
  readonly outcome: 'CREDIT' | 'CREDIT_REVERSAL';
  readonly bankReference: string | null;
  /** Major units, as the bank wrote it. */
  readonly amount: string;
  readonly currency: string;
  readonly bookedAt: Date | null;
  /** ISO 11649 references with right check digits, whosever they are. */
  readonly creditorReferences: readonly string[];
  /** Each reference that a bank gave the booking, as `<kind>:<hash>`. */
  readonly bookingReferences: readonly string[];
  /** The one of them that the release before this one knows; null where there is none. */
  readonly bookingKey: Buffer | null;
  /** Which of the lines with this key on its statement, from 1; 0 without a key. */
  readonly occurrence: number;
  /** It bears the reference of an attempt of ours. */
  readonly bearsPayout: boolean;
  /** Of a credit: the bank marks it as a return. */
  readonly isReturn: boolean;
  /** Of its statement. */
  readonly account: string;
  readonly reportKind: ReportKind;
  readonly from: Date | null;
  readonly to: Date | null;
}

/** Such lines of a bank beyond `after`, in the order of statements and lines; at most `limit`. */
export async function readCreditingLines(
  tx: SystemTransaction,
  { environment, connector }: StatementOrigin,
  after: Pick<CreditingLineRow, 'statementId' | 'line'>,
  limit: number,
): Promise<CreditingLineRow[]> {
  return tx.query<CreditingLineRow>(
    `SELECT l.statement_id AS "statementId", l.line, l.outcome, l.bank_reference AS "bankReference",
       l.amount::text AS amount, l.currency, l.booked_at AS "bookedAt",
       l.creditor_references AS "creditorReferences", l.booking_key AS "bookingKey",
       l.booking_references AS "bookingReferences", s.account, s.report AS "reportKind",
       s.from_at AS "from", s.to_at AS "to",
       (SELECT count(*)::int FROM statement_lines o WHERE o.statement_id = l.statement_id
          AND o.booking_key = l.booking_key AND o.line <= l.line) AS occurrence,
       EXISTS (SELECT FROM settlement_attempts a WHERE a.environment = l.environment
          AND a.reference = upper(l.reference)) AS "bearsPayout", l.is_return AS "isReturn"
     FROM statement_lines l JOIN statements s ON s.id = l.statement_id
     WHERE l.environment = :environment AND s.connector = :connector AND l.credit_id IS NULL
       AND l.outcome IN ('CREDIT', 'CREDIT_REVERSAL')
       AND (l.statement_id, l.line) > (:statementId, :line)
     ORDER BY l.statement_id, l.line LIMIT :limit`,
    { environment, connector, statementId: after.statementId, line: after.line, limit },
  );
}

export interface CreditedLine extends Pick<CreditingLineRow, 'statementId' | 'line'> {
  /** The credit that the line shows; null where it shows none. */
  readonly creditId: string | null;
  readonly outcome: 'CREDIT' | 'CREDIT_REVERSAL' | 'EXCEPTION';
  readonly exception: string | null;
}

/** Writes what became of lines, which is then done. */
export async function markLinesCredited(
  tx: SystemTransaction,
  lines: readonly CreditedLine[],
): Promise<void> {
  await tx.query(
    `UPDATE statement_lines AS l SET outcome = d.outcome, exception = d.exception,
       credit_id = d.credit_id
     FROM unnest(:statementIds::bigint[], :lines::int[], :outcomes::text[], :exceptions::text[],
       :creditIds::text[]) AS d (statement_id, line, outcome, exception, credit_id)
     WHERE l.statement_id = d.statement_id AND l.line = d.line AND l.credit_id IS NULL
       AND l.outcome IN ('CREDIT', 'CREDIT_REVERSAL')`,
    {
      statementIds: lines.map(({ statementId }) => statementId),
      lines: lines.map(({ line }) => line),
      outcomes: lines.map(({ outcome }) => outcome),
      exceptions: lines.map(({ exception }) => exception),
      creditIds: lines.map(({ creditId }) => creditId),
    },
  );
}
