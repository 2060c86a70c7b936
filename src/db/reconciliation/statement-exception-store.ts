import type { Environment } from '../../domain/scope.ts';
import type { SystemTransaction } from '../client/database.ts';
import type { StatementProblemRow } from './statement-store.ts';

export interface StatementExceptionRow {
  readonly statementId: bigint;
  readonly environment: Environment;
  readonly connector: string;
  readonly bankStatementId: string;
  /** Null for what is wrong with the statement itself. */
  readonly line: number | null;
  /** A MatchException of a line, or the code of a statement's problem. */
  readonly exception: string;
  /** Major units, decimal text as the bank wrote it; null without a line. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly bookedAt: Date | null;
  /** What would be right, beside what came: the booking that a line resembles, or sums. Null where nothing is known. */
  readonly expected: string | null;
}

/**
 * What operators, or the bank, have answered since: a credit that was no one's and has been decided, a
 * debit against which they closed one, and a line that an act has ended.
 */
export const IS_ANSWERED = `(l.exception IN ('UNKNOWN_RETURN', 'POSSIBLE_DUPLICATE') AND EXISTS (
    SELECT FROM incoming_credits c WHERE c.id = l.credit_id AND c.outcome IS NOT NULL)
  OR l.exception = 'UNEXPECTED_AT_BANK' AND EXISTS (
    SELECT FROM incoming_credits c
    WHERE c.closing_statement_id = l.statement_id AND c.closing_line = l.line)
  OR is_exception_ended(l.statement_id::text || '/' || l.line::text))`;

/** Of a line: the credit that it resembles, or what the bank says of the sums that it is a part of. */
const EXPECTED = `CASE l.exception
  WHEN 'POSSIBLE_DUPLICATE' THEN (
    SELECT 'credit ' || k.id || ', ' || k.amount || ' ' || k.currency || ', line ' || k.line
      || ' of statement ' || ks.bank_statement_id
    FROM incoming_credits d JOIN incoming_credits k ON k.id = d.resembles_credit_id
      JOIN statements ks ON ks.id = k.statement_id
    WHERE d.id = l.credit_id)
  WHEN 'UNPROVEN_SUM' THEN (
    SELECT CASE problem ->> 'code'
      WHEN 'BATCH_MISMATCH' THEN 'entry ' || l.entry || ' of ' || (problem ->> 'booked')
        || ', its transactions ' || (problem ->> 'transactions')
      ELSE 'opening ' || (problem ->> 'opening') || ', entries ' || (problem ->> 'booked')
        || ', closing ' || (problem ->> 'closing') END
    FROM jsonb_array_elements(s.problems) AS problem
    WHERE problem ->> 'code' = 'BATCH_MISMATCH' AND problem ->> 'entry' = l.entry::text
      OR problem ->> 'code' = 'BALANCE_MISMATCH' AND problem ->> 'currency' = l.currency LIMIT 1)
  END`;

/**
 * What statements show and no payment's row can tell: lines that are exceptions, concern no payment and
 * have no answer, and problems of statements; the newest statements first, at most `limit` rows.
 */
export async function listUnresolvedStatementExceptions(
  tx: SystemTransaction,
  limit: number,
): Promise<StatementExceptionRow[]> {
  return tx.query<StatementExceptionRow>(
    `SELECT id AS "statementId", environment, connector, "bankStatementId", line, exception, amount, currency, "bookedAt", expected
     FROM (
       (SELECT s.id, s.environment, s.connector, s.bank_statement_id AS "bankStatementId", l.line,
          l.exception, l.amount::text AS amount, l.currency, l.booked_at AS "bookedAt",
          ${EXPECTED} AS expected
        FROM statement_lines l JOIN statements s ON s.id = l.statement_id
        WHERE l.outcome = 'EXCEPTION' AND l.payment_id IS NULL AND NOT ${IS_ANSWERED}
        ORDER BY l.statement_id DESC, l.line LIMIT $1)
       UNION ALL
       (SELECT DISTINCT s.id, s.environment, s.connector, s.bank_statement_id, NULL::int,
          problem ->> 'code', NULL, NULL, NULL::timestamptz, NULL
        FROM statements s, jsonb_array_elements(s.problems) AS problem
        WHERE s.problems <> '[]' AND problem ->> 'code' NOT IN ('BALANCE_UNCHECKED', 'MORE_PROBLEMS')
        ORDER BY s.id DESC LIMIT $1)) AS found
     ORDER BY id DESC, line NULLS FIRST LIMIT $1`,
    [limit],
  );
}

interface LineToAlarm {
  readonly line: number;
  readonly exception: string;
  readonly amount: string;
  readonly currency: string;
  readonly paymentId: string | null;
}

/**
 * Lines of a statement that are exceptions for good and whose alarm was not given, in their order,
 * locked until the transaction ends: of two workers one gives it.
 */
export async function lockLinesToAlarm(
  tx: SystemTransaction,
  statementId: bigint,
  limit: number,
): Promise<LineToAlarm[]> {
  return tx.query<LineToAlarm>(
    `SELECT line, exception, amount::text AS amount, currency, payment_id AS "paymentId"
     FROM statement_lines
     WHERE statement_id = $1 AND outcome = 'EXCEPTION' AND processed_at IS NOT NULL
       AND alarmed_at IS NULL
     ORDER BY line LIMIT $2 FOR UPDATE`,
    [statementId, limit],
  );
}

export async function markLinesAlarmed(
  tx: SystemTransaction,
  statementId: bigint,
  lines: readonly number[],
  now: Date,
): Promise<void> {
  await tx.query(
    'UPDATE statement_lines SET alarmed_at = $3 WHERE statement_id = $1 AND line = ANY ($2)',
    [statementId, [...lines], now],
  );
}

interface StatementToAlarm {
  readonly id: bigint;
  readonly bankStatementId: string;
  readonly problems: readonly StatementProblemRow[];
}

/** Statements of a connector whose problems' alarms were not given, oldest first, locked likewise. */
export async function lockStatementsToAlarm(
  tx: SystemTransaction,
  { environment, connector }: { readonly environment: Environment; readonly connector: string },
  limit: number,
): Promise<StatementToAlarm[]> {
  return tx.query<StatementToAlarm>(
    `SELECT id, bank_statement_id AS "bankStatementId", problems FROM statements
     WHERE environment = $1 AND connector = $2 AND alarmed_at IS NULL AND problems <> '[]'
     ORDER BY id LIMIT $3 FOR UPDATE`,
    [environment, connector, limit],
  );
}

export async function markStatementsAlarmed(
  tx: SystemTransaction,
  ids: readonly bigint[],
  now: Date,
): Promise<void> {
  await tx.query('UPDATE statements SET alarmed_at = $2 WHERE id = ANY ($1)', [[...ids], now]);
}
