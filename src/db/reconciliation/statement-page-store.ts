import type { Environment } from '../../domain/scope.ts';
import type { SystemTransaction } from '../client/database.ts';

/** A line of a statement as operators see it: nothing of who paid or was paid. */
export interface StatementLineForOps {
  readonly line: number;
  readonly reference: string | null;
  readonly bankReference: string | null;
  readonly amount: string;
  readonly currency: string;
  readonly direction: 'CRDT' | 'DBIT';
  readonly bookedAt: Date | null;
  readonly outcome: string | null;
  readonly exception: string | null;
  readonly paymentId: string | null;
}

/** Lines after `afterLine`, in their order; those of exceptions alone where it is asked. */
export function listStatementLines(
  tx: SystemTransaction,
  statementId: bigint,
  page: { readonly afterLine: number; readonly isExceptionsOnly: boolean },
  limit: number,
): Promise<StatementLineForOps[]> {
  return tx.query<StatementLineForOps>(
    `SELECT line, reference, bank_reference AS "bankReference", amount::text AS amount, currency,
       direction, booked_at AS "bookedAt", outcome, exception, payment_id AS "paymentId"
     FROM statement_lines
     WHERE statement_id = :statementId AND line > :afterLine
       AND (NOT :isExceptionsOnly::boolean OR outcome = 'EXCEPTION')
     ORDER BY line LIMIT :limit`,
    { statementId, ...page, limit },
  );
}

/** Where a statement mentions a payment. */
export interface LineOfPayment {
  readonly statementId: bigint;
  readonly bankStatementId: string;
  readonly line: number;
  readonly direction: 'CRDT' | 'DBIT';
  readonly outcome: string | null;
  readonly exception: string | null;
}

/** The statement lines of a payment, oldest first. */
export function listLinesOfPayment(
  tx: SystemTransaction,
  paymentId: string,
  limit: number,
): Promise<LineOfPayment[]> {
  return tx.query<LineOfPayment>(
    `SELECT l.statement_id AS "statementId", s.bank_statement_id AS "bankStatementId", l.line,
       l.direction, l.outcome, l.exception
     FROM statement_lines l JOIN statements s ON s.id = l.statement_id
     WHERE l.payment_id = $1 ORDER BY l.statement_id, l.line LIMIT $2`,
    [paymentId, limit],
  );
}

export interface StatementToMend {
  readonly id: bigint;
  readonly environment: Environment;
  readonly connector: string;
  readonly bankStatementId: string;
  readonly status: string;
  readonly listedAt: Date;
}

/** Statements that were refused for their number or cannot be read, oldest first. */
export function listStatementsToMend(
  tx: SystemTransaction,
  limit: number,
): Promise<StatementToMend[]> {
  return tx.query<StatementToMend>(
    `SELECT id, environment, connector, bank_statement_id AS "bankStatementId", status,
       listed_at AS "listedAt"
     FROM statements WHERE status IN ('REFUSED', 'UNREADABLE') ORDER BY id LIMIT $1`,
    [limit],
  );
}

/** Banks whose statements there are. */
const CONNECTORS_MAX = 100;

/** The connectors whose statements were listed, by name. */
export async function listConnectors(tx: SystemTransaction): Promise<string[]> {
  const rows = await tx.query<{ connector: string }>(
    'SELECT DISTINCT connector FROM statements ORDER BY connector LIMIT $1',
    [CONNECTORS_MAX],
  );
  return rows.map(({ connector }) => connector);
}
