import type { ScopedTransaction } from '../db/database.ts';
import {
  markReportProcessed,
  readUnprocessedReports,
  type TransferReportRow,
} from '../db/transfer-report-store.ts';
import type { PaymentRow } from '../db/payment-store.ts';
import { readAttempts, type AttemptRow } from '../db/settlement-attempt-store.ts';
import type { Scope } from '../domain/scope.ts';
import { applyReport } from './apply-report.ts';

export interface PaymentWithAttempts {
  readonly payment: PaymentRow;
  readonly attempts: readonly AttemptRow[];
}

/** Judges every stored report about a locked payment that nobody has judged yet, oldest first. */
export async function applyReports(
  tx: ScopedTransaction,
  scope: Scope,
  payment: PaymentRow,
  now: Date,
): Promise<PaymentWithAttempts> {
  let current = payment;
  const attempts = await readAttempts(tx, scope, payment.id);
  for await (const report of unprocessed(tx, scope, payment.id)) {
    const index = attempts.findIndex((attempt) => attempt.reference === report.reference);
    const attempt = attempts[index];
    if (attempt === undefined) {
      await markReportProcessed(tx, scope, report.id, 'UNKNOWN_REFERENCE', now);
      continue;
    }
    const judged = await applyReport(
      tx,
      scope,
      { payment: current, attempt },
      {
        status: report.status,
        bankReference: report.bankReference,
        reason: report.reason,
        returnedAmount: report.status === 'RETURNED' ? report.amount : null,
      },
      report.source.toLowerCase(),
      now,
    );
    current = judged.payment;
    attempts[index] = judged.attempt;
    await markReportProcessed(tx, scope, report.id, judged.effect, now);
  }
  return { payment: current, attempts };
}

/** All of them, however many: a decision with a report unread could send what is settled. */
async function* unprocessed(
  tx: ScopedTransaction,
  scope: Scope,
  paymentId: string,
): AsyncGenerator<TransferReportRow> {
  for (;;) {
    const reports = await readUnprocessedReports(tx, scope, paymentId);
    if (reports.length === 0) return;
    yield* reports;
  }
}
