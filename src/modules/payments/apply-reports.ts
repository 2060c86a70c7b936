import {
  markReportProcessed,
  readUnprocessedReports,
  type TransferReportRow,
} from '../../db/payments/transfer-report-store.ts';
import { insertLateReturn } from '../../db/payments/late-return-store.ts';
import { systemActor } from '../../domain/actor.ts';
import { codeText } from '../../domain/payments/failures/rail-reasons.ts';
import { settleByReport } from '../../domain/payments/settle-by-report.ts';
import type { TransferReport } from '../../domain/payments/transfer-report.ts';
import { statementMinor } from '../../domain/reconciliation/statement-amount.ts';
import { settlementOf, type LockedPayment } from './locked-payment.ts';
import { takeSteps } from './take-steps.ts';

/** Judges every stored report about a locked payment that is still unread, oldest first. */
export async function applyReports(locked: LockedPayment): Promise<LockedPayment> {
  let current = locked;
  for await (const row of unread(locked)) {
    const { tx, scope, now } = locked;
    const attempt = current.attempts.find(({ reference }) => reference === row.reference);
    if (attempt === undefined) {
      await markReportProcessed(tx, scope, row.id, 'UNKNOWN_REFERENCE', now);
      continue;
    }
    const settlement = settlementOf(current, attempt);
    const report = reportOf(row, current.payment.unit);
    const { effect, steps } = settleByReport(settlement, report, { kind: row.source }, now);
    current = await takeSteps(current, steps, systemActor(ACTORS[row.source]));
    if (effect === 'LATE_RETURN') {
      await insertLateReturn(tx, scope, current.payment.id, codeText(row.reason), now);
    }
    await markReportProcessed(tx, scope, row.id, effect, now);
  }
  return current;
}

const ACTORS = { CALLBACK: 'bank-callback', STATEMENT: 'bank-statement', CHAIN: 'chain' } as const;

/** All of them, however many: a decision with a report unread could send what is settled. */
async function* unread({ tx, scope, payment }: LockedPayment): AsyncGenerator<TransferReportRow> {
  for (;;) {
    const reports = await readUnprocessedReports(tx, scope, payment.id);
    if (reports.length === 0) return;
    yield* reports;
  }
}

/** An amount that the payment's currency cannot have counts as none. */
function reportOf(row: TransferReportRow, currency: string): TransferReport {
  const { status, bankReference, reason, amount, occurredAt: at } = row;
  const read = amount === null ? null : statementMinor({ amount, currency });
  const returnedAmount = status === 'RETURNED' && read?.ok === true ? read.minor : null;
  return { status, bankReference, reason, returnedAmount, at };
}
