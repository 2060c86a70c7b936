import type { LedgerLine } from '../../domain/ledger/movements.ts';
import type { ExceptionAct } from '../../domain/reconciliation/exceptions/exception-act.ts';
import type { ReturnedOf } from '../../domain/reconciliation/exceptions/creditable.ts';
import type { Environment, Scope } from '../../domain/scope.ts';
import type { AnyTransaction, ScopedTransaction, SystemTransaction } from '../client/database.ts';

/** An exception as it stands: what is wrong, and what the ledger knows of it. */
export interface ExceptionRow {
  /** `12/3` of a line, `12/SEQUENCE_GAP` of a statement, or `pay_...` of a payment without a line. */
  readonly id: string;
  readonly exception: string;
  readonly environment: Environment;
  /** Null of a payment without a line. */
  readonly connector: string | null;
  readonly bankStatementId: string | null;
  readonly line: number | null;
  readonly bankReference: string | null;
  readonly direction: 'CRDT' | 'DBIT' | null;
  /** Major units, as the bank wrote it. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly bookedAt: Date | null;
  readonly reference: string | null;
  readonly creditId: string | null;
  readonly paymentId: string | null;
  readonly customerId: string | null;
  /** Whether the payment's hold went to the bank, and no act has given it back as never paid: then the first debit is in the books. */
  readonly isSettled: boolean;
  /**
   * What of it is in suspense, minor units: of a return that differs from what the bank told, and of a marked return
   * that names no payment; else null.
   */
  readonly suspense: bigint | null;
  /** How many rounds are over: acts that were reversed, or acts of a payment without a line. */
  readonly rounds: number;
  /** When it was read. */
  readonly since: Date;
  /** The act that ended it; null while it is open. */
  readonly endedBy: string | null;
}

const STANDS = `a.act <> 'REVERSE' AND NOT EXISTS (SELECT FROM exception_acts r WHERE r.reverses = a.id)`;

/** The line was the first to show a credit. */
const IS_FIRST = 'c.id = l.credit_id AND c.statement_id = l.statement_id AND c.line = l.line';

/**
 * Lines that are exceptions, and what the ledger knows of each. A line that a decided credit or late return answers is
 * none, and of those that show a credit, only the first one of a marked return is one.
 */
const OF_LINES = `
  SELECT l.statement_id::text || '/' || l.line::text AS id, l.exception, l.environment, s.connector,
    s.bank_statement_id AS "bankStatementId", l.line, l.bank_reference AS "bankReference", l.direction,
    l.amount::text AS amount, l.currency, l.booked_at AS "bookedAt", upper(l.reference) AS reference,
    l.credit_id AS "creditId", l.payment_id AS "paymentId", l.customer_id AS "customerId",
    EXISTS (SELECT FROM ledger_transactions t WHERE t.payment_id = l.payment_id AND t.kind = 'SETTLE')
      AND NOT EXISTS (SELECT FROM exception_acts a WHERE a.payment_id = l.payment_id
        AND a.exception = 'MISSING_AT_BANK' AND a.act = 'CREDIT_RETURN' AND ${STANDS})
      AS "isSettled",
    CASE WHEN l.exception = 'AMOUNT_MISMATCH' AND l.direction = 'CRDT' AND NOT EXISTS (
        SELECT FROM statement_lines f WHERE f.payment_id = l.payment_id AND f.direction = 'CRDT'
          AND f.exception = 'AMOUNT_MISMATCH' AND (f.statement_id, f.line) < (l.statement_id, l.line))
      THEN (SELECT e.amount FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id
        WHERE t.payment_id = l.payment_id AND t.kind = 'RETURN_DIFFERENCE' AND e.account = 'suspense')
      WHEN l.direction = 'CRDT' AND l.payment_id IS NULL
      THEN (SELECT c.minor FROM incoming_credits c WHERE ${IS_FIRST})
      END AS suspense,
    s.listed_at AS since
  FROM statement_lines l JOIN statements s ON s.id = l.statement_id
  WHERE l.outcome = 'EXCEPTION' AND l.processed_at IS NOT NULL
    AND NOT (l.exception IN ('UNKNOWN_RETURN', 'POSSIBLE_DUPLICATE') AND l.credit_id IS NOT NULL
      AND NOT EXISTS (SELECT FROM incoming_credits c
        WHERE ${IS_FIRST} AND c.minor IS NOT NULL AND (c.outcome IS NULL OR c.outcome IN ('RETURNED', 'WRITTEN_OFF'))
          AND is_marked_return(c.id)))
    AND NOT (l.exception = 'UNEXPECTED_AT_BANK' AND (l.credit_id IS NOT NULL OR EXISTS (
      SELECT FROM incoming_credits c WHERE c.closing_statement_id = l.statement_id AND c.closing_line = l.line)))
    AND NOT (l.exception = 'LATE_RETURN' AND NOT EXISTS (
      SELECT FROM statement_lines f WHERE f.payment_id = l.payment_id AND f.exception = 'LATE_RETURN'
        AND (f.statement_id, f.line) < (l.statement_id, l.line)))`;

const NOTHING_OF_A_LINE = `NULL::int AS line, NULL AS "bankReference", NULL AS direction, NULL AS amount,
  NULL AS currency, NULL::timestamptz AS "bookedAt", NULL AS reference, NULL AS "creditId"`;

const OF_STATEMENTS = `
  SELECT DISTINCT s.id::text || '/' || (problem ->> 'code'), problem ->> 'code', s.environment,
    s.connector, s.bank_statement_id, ${NOTHING_OF_A_LINE}, NULL, NULL, false, NULL::bigint, s.listed_at
  FROM statements s, jsonb_array_elements(s.problems) AS problem
  WHERE s.problems <> '[]' AND problem ->> 'code' NOT IN ('BALANCE_UNCHECKED', 'MORE_PROBLEMS')`;

const OF_PAYMENTS = `
  SELECT p.id, coalesce(p.reconciliation_evidence ->> 'exception', p.reconciliation_evidence ->> 'kind',
      'CONTRADICTION'), p.environment, NULL, NULL, ${NOTHING_OF_A_LINE}, p.id, p.customer_id, false,
    NULL::bigint, p.updated_at
  FROM payments p
  WHERE p.reconciliation_status = 'EXCEPTION'
    AND p.reconciliation_evidence ->> 'exception' IS DISTINCT FROM 'LATE_RETURN'
    AND NOT EXISTS (SELECT FROM statement_lines l
      WHERE l.payment_id = p.id AND l.outcome = 'EXCEPTION'
        AND NOT is_exception_ended(l.statement_id::text || '/' || l.line::text))`;

/** A payment that is an exception again, after an act, is a new one: no act has ended that. Each part may be narrowed. */
const exceptionsOf = (
  { line, statement, payment } = { line: 'true', statement: 'true', payment: 'true' },
) =>
  `(${OF_LINES} AND ${line} UNION ALL ${OF_STATEMENTS} AND ${statement} UNION ALL ${OF_PAYMENTS} AND ${payment}) x
  CROSS JOIN LATERAL (SELECT
    (SELECT count(*)::int FROM exception_acts r WHERE r.exception_id = x.id
      AND (r.act = 'REVERSE') = (x.id NOT LIKE 'pay\\_%')) AS rounds,
    (SELECT a.id FROM exception_acts a WHERE a.exception_id = x.id AND x.id NOT LIKE 'pay\\_%' AND ${STANDS})
      AS "endedBy") acts`;
const EXCEPTIONS = exceptionsOf();
/** By the keys of its line or statement: an id alone would be made of each line that there ever was. */
const ONE_EXCEPTION = exceptionsOf({
  line: 'l.statement_id = $2::bigint AND l.line = $3::int',
  statement: 's.id = $2::bigint',
  payment: 'p.id = $1::text',
});
const ID = /^([0-9]{1,18})\/(?:([0-9]{1,9})$|[A-Z])/;

/** An exception by its id, ended or not; null where there is none. System role only. */
export async function findException(
  tx: SystemTransaction,
  id: string,
): Promise<ExceptionRow | null> {
  const [, statementId = null, line = null] = ID.exec(id) ?? [];
  const rows = await tx.query<ExceptionRow>(`SELECT * FROM ${ONE_EXCEPTION} WHERE x.id = $1`, [
    id,
    statementId,
    line,
  ]);
  return rows[0] ?? null;
}

/** Which open exceptions a list shows. */
export interface ExceptionFilter {
  readonly exception?: string | null;
  /** The bank's connector: only lines and problems of its statements. */
  readonly connector?: string | null;
  readonly customerId?: string | null;
  readonly environment?: Environment | null;
  /** Only those that were read before. */
  readonly before?: Date | null;
  /** Only those behind this one. */
  readonly after?: Pick<ExceptionRow, 'since' | 'id'> | null;
}

/** Open exceptions that fit the filter, the oldest first. */
export async function listOpenExceptions(
  tx: SystemTransaction,
  filter: ExceptionFilter,
  limit: number,
): Promise<ExceptionRow[]> {
  const { exception = null, connector = null, customerId = null, environment = null } = filter;
  const { before = null, after = null } = filter;
  return tx.query<ExceptionRow>(
    `SELECT * FROM ${EXCEPTIONS}
     WHERE "endedBy" IS NULL AND (:exception::text IS NULL OR exception = :exception)
       AND (:connector::text IS NULL OR connector = :connector)
       AND (:customerId::text IS NULL OR "customerId" = :customerId)
       AND (:environment::text IS NULL OR environment = :environment)
       AND (:before::timestamptz IS NULL OR since < :before)
       AND (:afterSince::timestamptz IS NULL OR (since, x.id) > (:afterSince, :afterId::text))
     ORDER BY since, x.id LIMIT :limit`,
    {
      ...{ exception, connector, customerId, environment, before, limit },
      ...{ afterSince: after?.since ?? null, afterId: after?.id ?? null },
    },
  );
}

/** How many exceptions of a kind are open, and since when the oldest is. */
export interface ExceptionKindRow {
  readonly exception: string;
  readonly count: number;
  readonly oldest: Date;
}

/** The kinds of open exceptions, the one with the oldest first. */
export async function countExceptionKinds(tx: SystemTransaction): Promise<ExceptionKindRow[]> {
  return tx.query<ExceptionKindRow>(
    `SELECT exception, count(*)::int AS count, min(since) AS oldest FROM ${EXCEPTIONS}
     WHERE "endedBy" IS NULL GROUP BY exception ORDER BY min(since), exception`,
  );
}

export interface ExceptionActRow {
  readonly id: string;
  readonly customerId: string;
  readonly environment: Environment;
  readonly exceptionId: string;
  readonly exception: string;
  readonly round: number;
  readonly act: ExceptionAct | 'REVERSE';
  readonly reverses: string | null;
  readonly paymentId: string | null;
  readonly content: Readonly<Record<string, string | number | readonly string[]>>;
  readonly ledgerTransactionId: string | null;
  readonly approvalId: string;
}

const COLUMNS = `id, customer_id AS "customerId", environment, exception_id AS "exceptionId",
  exception, round, act, reverses, payment_id AS "paymentId", content,
  ledger_transaction_id AS "ledgerTransactionId", approval_id AS "approvalId"`;

/** An act that ended an exception, and whether it was reversed. */
export async function findExceptionAct(
  tx: SystemTransaction,
  id: string,
): Promise<(ExceptionActRow & { readonly isReversed: boolean }) | null> {
  const rows = await tx.query<ExceptionActRow & { isReversed: boolean }>(
    `SELECT ${COLUMNS}, EXISTS (SELECT FROM exception_acts r WHERE r.reverses = a.id) AS "isReversed"
     FROM exception_acts a WHERE id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

/** Writes an act. The database refuses it without its approval in use, and where another one stands. */
export async function insertExceptionAct(
  tx: ScopedTransaction,
  scope: Scope,
  act: Omit<ExceptionActRow, 'customerId' | 'environment'>,
  at: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO exception_acts (id, customer_id, environment, exception_id, exception, round, act,
       reverses, payment_id, content, ledger_transaction_id, approval_id, acted_at)
     VALUES (:id, :customerId, :environment, :exceptionId, :exception, :round, :act, :reverses,
       :paymentId, :content::jsonb, :ledgerTransactionId, :approvalId, :at)`,
    { ...scope, ...act, content: JSON.stringify(act.content), at },
  );
}

/** How many acts about an exception, or about an unmatched credit, were reversed. */
export async function countReversals(tx: SystemTransaction, exceptionId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM exception_acts WHERE exception_id = $1 AND act = 'REVERSE'`,
    [exceptionId],
  );
  return row?.count ?? 0;
}

/** What of a payment came back to its customer and was recovered. The payment is locked. */
export async function readReturnedOf(
  tx: AnyTransaction,
  { customerId, environment }: Scope,
  payment: { readonly id: string; readonly unit: string },
): Promise<ReturnedOf> {
  const [row] = await tx.query<ReturnedOf>(
    `SELECT EXISTS (SELECT FROM ledger_transactions t WHERE t.payment_id = :id AND t.kind = 'SETTLE')
         AS "isSettled",
       (coalesce((SELECT -sum(e.amount) FROM ledger_transactions t
          JOIN ledger_entries e ON e.transaction_id = t.id
          WHERE t.payment_id = :id AND t.kind IN ('RETURN', 'LATE_RETURN_CREDIT')
            AND e.currency = :unit AND (e.account LIKE 'nostro:%' OR e.account = 'suspense')), 0)
        + coalesce(sum(part) FILTER (WHERE act = 'CREDIT_RETURN' AND stands AND NOT reported), 0)
        - coalesce(sum(part) FILTER (WHERE act = 'CREDIT_RETURN' AND NOT stands AND reported), 0))::bigint
         AS returned,
       coalesce((SELECT l.amount FROM late_returns l WHERE l.customer_id = :customerId
         AND l.environment = :environment AND l.payment_id = :id AND l.decision IS NULL), 0)::bigint AS waiting,
       coalesce(sum(part) FILTER (WHERE act = 'RECOVER' AND stands), 0)::bigint AS recovered
     FROM (SELECT act, (content ->> 'part')::bigint AS part, content ->> 'as' IS NOT DISTINCT FROM 'RETURN' AS reported,
         NOT EXISTS (SELECT FROM exception_acts r WHERE r.reverses = a.id) AS stands
       FROM exception_acts a
       WHERE customer_id = :customerId AND environment = :environment AND payment_id = :id
         AND act <> 'REVERSE') acts`,
    { customerId, environment, id: payment.id, unit: payment.unit },
  );
  return row ?? { isSettled: false, returned: 0n, waiting: 0n, recovered: 0n };
}

/** A line was taken as the return of a payment: by an act that made it, also one that was reversed, or that shows it. */
const TOOK_RETURN = `a.act = 'CREDIT_RETURN'
  AND (a.content ->> 'as' = 'RETURN' OR a.content ->> 'as' = 'TOLD_RETURN' AND ${STANDS})`;

/**
 * Whether an act took a line as the return of a payment of the scope; also one that was reversed, as the payment stays
 * RETURNED, unless it only showed a return that the bank had told.
 */
export async function wasReturnedByAct(tx: ScopedTransaction, paymentId: string): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM exception_acts a WHERE a.payment_id = $1 AND ${TOOK_RETURN} LIMIT 1`,
    [paymentId],
  );
  return rows.length > 0;
}

/**
 * What of a payment came back as the bank told, where no line and no act has shown it yet: minor units of the payment's
 * target currency; null where there is nothing to show. System role only.
 */
export async function readUnseenReturn(
  tx: SystemTransaction,
  paymentId: string,
): Promise<bigint | null> {
  const [row] = await tx.query<{ told: bigint | null }>(
    `SELECT -sum(e.amount)::bigint AS told
     FROM payments p JOIN ledger_transactions t ON t.payment_id = p.id AND t.kind = 'RETURN'
       JOIN ledger_entries e ON e.transaction_id = t.id AND e.account LIKE 'nostro:%' AND e.currency = p.currency
     WHERE p.id = $1 AND p.status = 'RETURNED' AND return_line_of(p.id) IS NULL
       AND NOT EXISTS (SELECT FROM exception_acts a WHERE a.payment_id = p.id AND ${TOOK_RETURN})`,
    [paymentId],
  );
  return row?.told ?? null;
}

/** The newest act that stands and credited the customer of a payment of the scope with a return; null where none did. */
export async function findStandingReturn(
  tx: ScopedTransaction,
  paymentId: string,
): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(
    `SELECT a.id FROM exception_acts a
     WHERE a.payment_id = $1 AND a.act = 'CREDIT_RETURN' AND (a.content ->> 'part')::bigint > 0 AND ${STANDS}
     ORDER BY a.seq DESC LIMIT 1`,
    [paymentId],
  );
  return row?.id ?? null;
}

/** Whether an act that stands gave a payment of the scope back because the bank never paid it. */
export async function wasGivenBack(tx: ScopedTransaction, paymentId: string): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM exception_acts a
     WHERE a.payment_id = $1 AND a.exception = 'MISSING_AT_BANK' AND a.act = 'CREDIT_RETURN'
       AND ${STANDS} LIMIT 1`,
    [paymentId],
  );
  return rows.length > 0;
}

/** How many lines that are exceptions of the payment no act has ended. */
export async function countOpenExceptions(
  tx: ScopedTransaction,
  paymentId: string,
): Promise<bigint> {
  const [row] = await tx.query<{ open: bigint }>('SELECT open_exceptions_of($1) AS open', [
    paymentId,
  ]);
  return row?.open ?? 0n;
}

/**
 * The lines by which an act moved money, in their order: of its own transaction, and of the payment's return where
 * `returnOf` names the payment that it returned.
 */
export async function readMovedLines(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  moved: { readonly transactionId: string | null; readonly returnOf: string | null },
): Promise<LedgerLine[]> {
  return tx.query<LedgerLine>(
    `SELECT e.account, e.currency, e.amount AS minor
     FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id
     WHERE t.customer_id = $1 AND t.environment = $2 AND e.kind <> 'REPAYMENT'
       AND (t.id = $3 OR t.payment_id = $4 AND t.kind = 'RETURN')
     ORDER BY t.seq, e.line`,
    [customerId, environment, moved.transactionId, moved.returnOf],
  );
}

/** An act in the history of an exception: who agreed on it, why, and what reversed it. */
export interface ExceptionHistoryRow {
  readonly id: string;
  readonly act: ExceptionAct | 'REVERSE';
  readonly reverses: string | null;
  readonly isReversed: boolean;
  readonly approvalId: string;
  readonly proposedBy: string | null;
  readonly decidedBy: string | null;
  readonly reason: string;
  readonly actedAt: Date;
}

/** More acts about one exception are never shown. */
const HISTORY_MAX = 50;

/** The newest acts about an exception, reversals too, in their order. */
export async function listExceptionActs(
  tx: SystemTransaction,
  exceptionId: string,
): Promise<ExceptionHistoryRow[]> {
  const rows = await tx.query<ExceptionHistoryRow>(
    `SELECT a.id, a.act, a.reverses, a.approval_id AS "approvalId", a.acted_at AS "actedAt",
       EXISTS (SELECT FROM exception_acts r WHERE r.reverses = a.id) AS "isReversed",
       p.proposed_by AS "proposedBy", p.decided_by AS "decidedBy", p.reason
     FROM exception_acts a JOIN approvals p ON p.id = a.approval_id
     WHERE a.exception_id = $1 ORDER BY a.seq DESC LIMIT $2`,
    [exceptionId, HISTORY_MAX],
  );
  return rows.toReversed();
}
