import type { LinePlace, PaymentLine } from '../../domain/reconciliation/repeated-lines.ts';
import type { ReportKind } from '../../domain/reconciliation/statement-types.ts';
import type { Environment } from '../../domain/scope.ts';
import type { SystemTransaction } from '../client/database.ts';

/** More lines of one payment are an exception in any case: those beyond repeat nothing. */
const LINES_MAX = 50;

interface LineRow extends Omit<PaymentLine, 'report' | 'repeats'> {
  readonly reportKind: ReportKind;
  readonly from: Date | null;
  readonly to: Date | null;
  readonly repeatsStatementId: bigint | null;
  readonly repeatsLine: number | null;
}

const COLUMNS = `l.statement_id AS "statementId", l.line, l.direction,
  l.is_reversal AS "isReversal", trim_scale(l.amount)::text AS amount, l.currency,
  l.bank_reference AS "bankReference", l.is_entry_reference AS "isEntryReference",
  l.booked_at AS "bookedAt", l.judged_at IS NOT NULL AS "isJudged", s.account, s.report AS "reportKind",
  s.from_at AS "from", s.to_at AS "to", l.repeats_statement_id AS "repeatsStatementId",
  l.repeats_line AS "repeatsLine"`;

/** Lines of payments that other statements show, judged, in the order of statements and lines. */
export async function readLinesBefore(
  tx: SystemTransaction,
  statement: { readonly id: bigint; readonly environment: Environment },
  paymentIds: readonly string[],
): Promise<PaymentLine[]> {
  const rows = await tx.query<LineRow>(
    `SELECT l.payment_id AS "paymentId", upper(l.reference) AS reference, ${COLUMNS}
     FROM (
       SELECT *, row_number() OVER (PARTITION BY payment_id ORDER BY statement_id, line) AS place
       FROM statement_lines
       WHERE payment_id = ANY ($3) AND environment = $2 AND statement_id <> $1
         AND (counts_for_payment OR outcome = 'REPEATED')) l
     JOIN statements s ON s.id = l.statement_id
     WHERE l.place <= $4 ORDER BY l.statement_id, l.line`,
    [statement.id, statement.environment, [...paymentIds], LINES_MAX],
  );
  return rows.map(toPaymentLine);
}

/**
 * Booked lines of a statement that name attempts by their references, judged or not, in their order. All references are
 * asked for at once: a look for each would read the whole statement each time, where the planner knows nothing of it yet.
 */
export async function readLinesNaming(
  tx: SystemTransaction,
  statementId: bigint,
  attempts: readonly { readonly paymentId: string; readonly reference: string }[],
): Promise<PaymentLine[]> {
  const paymentOf = new Map(attempts.map(({ paymentId, reference }) => [reference, paymentId]));
  const rows = await tx.query<Omit<LineRow, 'paymentId'>>(
    `SELECT upper(l.reference) AS reference, ${COLUMNS}
     FROM (
       SELECT *, row_number() OVER (PARTITION BY upper(reference) ORDER BY line) AS place
       FROM statement_lines
       WHERE statement_id = $1 AND upper(reference) = ANY ($2) AND booked
         AND reference IS NOT NULL AND (direction = 'DBIT' OR is_return)) l
     JOIN statements s ON s.id = l.statement_id
     WHERE l.place <= $3 ORDER BY l.line`,
    [statementId, [...paymentOf.keys()], LINES_MAX],
  );
  return rows.map((row) => {
    const paymentId = paymentOf.get(row.reference);
    if (paymentId === undefined) throw new Error('a line that names no attempt was read');
    return toPaymentLine({ ...row, paymentId });
  });
}

const toPaymentLine = ({
  reportKind,
  from,
  to,
  repeatsStatementId,
  repeatsLine,
  ...line
}: LineRow): PaymentLine => ({
  ...line,
  report: { kind: reportKind, from, to },
  repeats:
    repeatsStatementId === null || repeatsLine === null
      ? null
      : { statementId: repeatsStatementId, line: repeatsLine },
});

/** Notes which lines of other statements lines repeat. */
export async function saveRepeatedLines(
  tx: SystemTransaction,
  statementId: bigint,
  lines: readonly { readonly line: number; readonly repeats: LinePlace }[],
): Promise<void> {
  if (lines.length === 0) return;
  await tx.query(
    `UPDATE statement_lines l SET repeats_statement_id = r.statement_id, repeats_line = r.repeated
     FROM unnest($2::int[], $3::bigint[], $4::int[]) AS r (line, statement_id, repeated)
     WHERE l.statement_id = $1 AND l.line = r.line`,
    [
      statementId,
      lines.map(({ line }) => line),
      lines.map(({ repeats }) => repeats.statementId),
      lines.map(({ repeats }) => repeats.line),
    ],
  );
}
