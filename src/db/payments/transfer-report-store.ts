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

/** Stores what a chain shows of a transfer, once under its own id. Answers the row's id, new or not. */
export async function storeChainReport(
  tx: SystemTransaction,
  report: {
    readonly environment: Environment;
    readonly customerId: string;
    readonly paymentId: string;
    readonly reference: string;
    readonly reportId: string;
    readonly status: 'ACCEPTED' | 'SETTLED' | 'REJECTED' | 'RETURNED';
    /** The hash of the transaction that moved it. */
    readonly bankReference: string | null;
    readonly reason: string | null;
  },
  receivedAt: Date,
): Promise<bigint> {
  await tx.query(
    `INSERT INTO transfer_reports (customer_id, environment, payment_id, reference, source,
       report_id, status, bank_reference, reason, received_at)
     VALUES (:customerId, :environment, :paymentId, :reference, 'CHAIN', :reportId, :status,
       :bankReference, :reason, :receivedAt)
     ON CONFLICT (environment, source, report_id) DO NOTHING`,
    { ...report, receivedAt },
  );
  const [stored] = await tx.query<{ id: bigint }>(
    `SELECT id FROM transfer_reports
     WHERE environment = $1 AND source = 'CHAIN' AND report_id = $2`,
    [report.environment, report.reportId],
  );
  if (stored === undefined) throw new Error('a stored report was not found again');
  return stored.id;
}
