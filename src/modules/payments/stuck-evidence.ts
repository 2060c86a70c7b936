import type { SystemTransaction } from '../../db/client/database.ts';
import { listUnresolvedStatementExceptions } from '../../db/reconciliation/statement-exception-store.ts';
import {
  listUnappliedReports,
  listUnknownReferenceReports,
} from '../../db/payments/unexplained-report-store.ts';
import type { StuckSection } from './stuck-section.ts';

/** A report is judged within seconds of its arrival; its wake is repeated after ten. */
const JUDGED_WITHIN_MS = 60_000;

/** What banks told us that no payment's row can show: `limit` rows of each kind at the most. */
export async function readEvidence(
  tx: SystemTransaction,
  now: Date,
  limit: number,
): Promise<StuckSection[]> {
  return [
    await readUnapplied(tx, now, limit),
    await readUnknown(tx, limit),
    await readStatements(tx, limit),
  ];
}

async function readUnapplied(
  tx: SystemTransaction,
  now: Date,
  limit: number,
): Promise<StuckSection> {
  const until = new Date(now.getTime() - JUDGED_WITHIN_MS);
  const reports = await listUnappliedReports(tx, until, limit + 1);
  return {
    title: 'Reports that changed nothing about a payment',
    head: ['payment', 'is', 'the bank said', 'by', 'effect', 'received'],
    hasMore: reports.length > limit,
    rows: reports
      .slice(0, limit)
      .map((report) => [
        report.paymentId,
        report.paymentStatus,
        report.said,
        report.source,
        report.effect ?? 'not judged yet',
        report.receivedAt.toISOString(),
      ]),
    next: 'ask the bank which of its reports is true; a return that awaits its statement is credited by it; where one is not judged yet, see that a worker runs.',
  };
}

async function readUnknown(tx: SystemTransaction, limit: number): Promise<StuckSection> {
  const reports = await listUnknownReferenceReports(tx, limit + 1);
  return {
    title: 'Callbacks for references that are not ours',
    head: ['report', 'environment', 'reference', 'the bank said', 'received'],
    hasMore: reports.length > limit,
    rows: reports
      .slice(0, limit)
      .map((report) => [
        String(report.id),
        report.environment,
        report.reference,
        report.status,
        report.receivedAt.toISOString(),
      ]),
    next: 'ask the bank whose transfer it is; after a restore it may be a payment that was lost.',
  };
}

async function readStatements(tx: SystemTransaction, limit: number): Promise<StuckSection> {
  const exceptions = await listUnresolvedStatementExceptions(tx, limit + 1);
  return {
    title: 'Statements that no payment explains',
    head: ['environment', 'statement', 'line', 'exception', 'amount', 'booked', 'expected'],
    hasMore: exceptions.length > limit,
    rows: exceptions
      .slice(0, limit)
      .map((row) => [
        row.environment,
        row.bankStatementId,
        row.line === null ? '-' : String(row.line),
        row.exception,
        row.amount === null ? '-' : `${row.amount} ${row.currency ?? ''}`,
        row.bookedAt?.toISOString() ?? '-',
        row.expected ?? '-',
      ]),
    next: 'ask the bank what the line is, or for a sound statement; decide credits by npm run ops -- credits; docs/explanation/architecture.md explains the kinds.',
  };
}
