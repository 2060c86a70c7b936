import type { TransferReport } from '../domain/payments/transfer-report.ts';
import type { Environment, Scope } from '../domain/scope.ts';
import type { Database, ScopedTransaction } from './database.ts';

/** One thing the bank told us unasked, stored before anything was done about it. */
export interface TransferReportRow {
  readonly id: bigint;
  readonly reference: string;
  readonly source: 'CALLBACK' | 'STATEMENT';
  readonly status: TransferReport['status'];
  readonly bankReference: string | null;
  readonly reason: string | null;
  readonly amount: bigint | null;
}

/** A stored callback: which report it is, and whose, where the reference is known. */
export interface StoredCallback {
  readonly id: bigint;
  readonly customerId: string | null;
  readonly paymentId: string | null;
}

/** Stores one callback, once however often it comes. Unknown references are kept too. */
export async function storeBankCallback(
  db: Database,
  environment: Environment,
  report: {
    readonly reportId: string;
    readonly reference: string;
    readonly status: TransferReport['status'];
    readonly bankReference: string | null;
    readonly reason: string | null;
  },
  receivedAt: Date,
): Promise<StoredCallback> {
  const rows = await db.query<StoredCallback>(
    `SELECT id, customer_id AS "customerId", payment_id AS "paymentId"
     FROM store_bank_callback(:environment, :reportId, :reference, :status, :bankReference,
       :reason, :receivedAt)`,
    {
      environment,
      reportId: report.reportId,
      reference: report.reference,
      status: report.status,
      bankReference: report.bankReference,
      reason: report.reason,
      receivedAt,
    },
  );
  const stored = rows[0];
  if (stored === undefined) throw new Error('a stored callback was not found again');
  return stored;
}

/** Reports about a payment that nobody has judged yet, in the order of their arrival. */
export async function readUnprocessedReports(
  tx: ScopedTransaction,
  scope: Scope,
  paymentId: string,
): Promise<TransferReportRow[]> {
  return tx.query<TransferReportRow>(
    `SELECT id, reference, source, status, bank_reference AS "bankReference", reason, amount
     FROM transfer_reports
     WHERE customer_id = $1 AND environment = $2 AND payment_id = $3 AND processed_at IS NULL
     ORDER BY id LIMIT 200`,
    [scope.customerId, scope.environment, paymentId],
  );
}

/** Marks a report as judged, with what it did. */
export async function markReportProcessed(
  tx: ScopedTransaction,
  scope: Scope,
  id: bigint,
  effect: string,
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE transfer_reports SET processed_at = $4, effect = $5
     WHERE customer_id = $1 AND environment = $2 AND id = $3 AND processed_at IS NULL`,
    [scope.customerId, scope.environment, id, now, effect],
  );
}

/** Stores a statement line as evidence about a payment, once. Answers whether it is new. */
export async function storeStatementReport(
  tx: ScopedTransaction,
  scope: Scope,
  report: {
    readonly reportId: string;
    readonly paymentId: string;
    readonly reference: string;
    readonly status: TransferReport['status'];
    readonly bankReference: string | null;
    readonly reason: string | null;
    readonly amount: bigint;
  },
  receivedAt: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO transfer_reports (customer_id, environment, payment_id, reference, source,
       report_id, status, bank_reference, reason, amount, received_at)
     VALUES (:customerId, :environment, :paymentId, :reference, 'STATEMENT', :reportId, :status,
       :bankReference, :reason, :amount, :receivedAt)
     ON CONFLICT (environment, source, report_id) DO NOTHING RETURNING id`,
    {
      customerId: scope.customerId,
      environment: scope.environment,
      paymentId: report.paymentId,
      reference: report.reference,
      reportId: report.reportId,
      status: report.status,
      bankReference: report.bankReference,
      reason: report.reason,
      amount: report.amount,
      receivedAt,
    },
  );
  return rows.length > 0;
}
