import type { TransferReport } from '../../domain/payments/transfer-report.ts';
import type { Environment, Scope } from '../../domain/scope.ts';
import type { Database, ScopedTransaction, SystemTransaction } from '../client/database.ts';

/** One thing the bank or a chain told us unasked, stored before anything was done about it. */
export interface TransferReportRow {
  readonly id: bigint;
  readonly reference: string;
  readonly source: 'CALLBACK' | 'STATEMENT' | 'CHAIN';
  readonly status: TransferReport['status'];
  readonly bankReference: string | null;
  readonly reason: string | null;
  /** What moved, major units as the bank wrote it. */
  readonly amount: string | null;
  /** By the bank's clock. */
  readonly occurredAt: Date | null;
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
    readonly amount: string | null;
    readonly at: Date;
  },
  receivedAt: Date,
): Promise<StoredCallback> {
  const rows = await db.query<StoredCallback>(
    `SELECT id, customer_id AS "customerId", payment_id AS "paymentId"
     FROM store_bank_callback(:environment, :reportId, :reference, :status, :bankReference,
       :reason, :amount, :at, :receivedAt)`,
    { environment, ...report, receivedAt },
  );
  const [stored] = rows;
  if (stored === undefined) throw new Error('a stored callback was not found again');
  return stored;
}

/** Reports about a payment that are not judged yet, in the order of their arrival. */
export async function readUnprocessedReports(
  tx: ScopedTransaction,
  scope: Scope,
  paymentId: string,
): Promise<TransferReportRow[]> {
  return tx.query<TransferReportRow>(
    `SELECT id, reference, source, status, bank_reference AS "bankReference", reason, amount::text AS amount,
       occurred_at AS "occurredAt"
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
    /** Major units. */
    readonly amount: string;
    readonly bookedAt: Date | null;
  },
  receivedAt: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO transfer_reports (customer_id, environment, payment_id, reference, source,
       report_id, status, bank_reference, reason, amount, occurred_at, received_at)
     VALUES (:customerId, :environment, :paymentId, :reference, 'STATEMENT', :reportId, :status,
       :bankReference, :reason, :amount, :bookedAt, :receivedAt)
     ON CONFLICT (environment, source, report_id) DO NOTHING RETURNING id`,
    { customerId: scope.customerId, environment: scope.environment, ...report, receivedAt },
  );
  return rows.length > 0;
}

/** What a chain shows of a transfer. */
export interface ChainReport {
  readonly environment: Environment;
  readonly customerId: string;
  readonly paymentId: string;
  readonly reference: string;
  readonly reportId: string;
  readonly status: 'ACCEPTED' | 'SETTLED' | 'REJECTED' | 'RETURNED';
  /** The hash of the transaction that moved it. */
  readonly bankReference: string | null;
  readonly reason: string | null;
}

/** A report of a chain that is stored, and the workflow of its payment. */
export interface StoredChainReport {
  readonly id: bigint;
  readonly environment: Environment;
  readonly customerId: string;
  readonly paymentId: string;
  readonly workflowId: string;
}

/** Stores reports of a chain of one environment, each once under its own id. Answers them, new or not. */
export async function storeChainReports(
  tx: SystemTransaction,
  environment: Environment,
  reports: readonly ChainReport[],
  receivedAt: Date,
): Promise<readonly StoredChainReport[]> {
  const reportIds = reports.map(({ reportId }) => reportId);
  await tx.query(
    `INSERT INTO transfer_reports (customer_id, environment, payment_id, reference, source,
       report_id, status, bank_reference, reason, received_at)
     SELECT r.customer_id, :environment, r.payment_id, r.reference, 'CHAIN', r.report_id, r.status,
       r.bank_reference, r.reason, :receivedAt
     FROM unnest(:customerIds::text[], :paymentIds::text[], :references::text[], :reportIds::text[],
       :statuses::text[], :bankReferences::text[], :reasons::text[])
       AS r (customer_id, payment_id, reference, report_id, status, bank_reference, reason)
     ON CONFLICT (environment, source, report_id) DO NOTHING`,
    {
      ...{ environment, receivedAt, reportIds },
      customerIds: reports.map(({ customerId }) => customerId),
      paymentIds: reports.map(({ paymentId }) => paymentId),
      references: reports.map(({ reference }) => reference),
      statuses: reports.map(({ status }) => status),
      bankReferences: reports.map(({ bankReference }) => bankReference),
      reasons: reports.map(({ reason }) => reason),
    },
  );
  const stored = await tx.query<StoredChainReport>(
    `SELECT r.id, r.environment, r.customer_id AS "customerId", r.payment_id AS "paymentId",
       p.workflow_id AS "workflowId"
     FROM transfer_reports r JOIN payments p ON p.customer_id = r.customer_id
       AND p.environment = r.environment AND p.id = r.payment_id
     WHERE r.environment = $1 AND r.source = 'CHAIN' AND r.report_id = ANY ($2::text[])`,
    [environment, reportIds],
  );
  if (stored.length < reports.length) throw new Error('a stored report was not found again');
  return stored;
}
