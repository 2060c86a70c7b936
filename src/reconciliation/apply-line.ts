import { storeStatementReport } from '../db/transfer-report-store.ts';
import type { ScopedTransaction } from '../db/database.ts';
import type { PaymentRow } from '../db/payment-store.ts';
import type { AppliedLine, LineToApply } from '../db/statement-line-store.ts';
import type { StatementRow } from '../db/statement-store.ts';
import { statementMinor } from '../domain/reconciliation/statement-amount.ts';
import type { Scope } from '../domain/scope.ts';
import { applyReports, type PaymentWithAttempts } from '../payments/apply-reports.ts';
import { changePayment, type PaymentPatch } from '../payments/change-payment.ts';
import { exceptionEvidence, lineEvidence, reconciledEvidence } from './evidence.ts';

export interface LineApplied extends AppliedLine {
  readonly before: PaymentRow;
  readonly after: PaymentRow;
}

interface Applying {
  readonly tx: ScopedTransaction;
  readonly scope: Scope;
  readonly statement: StatementRow;
  readonly line: LineToApply;
  readonly now: Date;
}

/**
 * Applies one judged line to its payment, inside a transaction of the payment's scope that has locked
 * it. Everything is decided by what the payment already says, so a second run changes nothing. The
 * outcome may differ from the judgement where the payment's fate was decided in between.
 */
export async function applyLine(
  tx: ScopedTransaction,
  scope: Scope,
  statement: StatementRow,
  before: PaymentRow,
  line: LineToApply,
  now: Date,
): Promise<LineApplied> {
  const applying = { tx, scope, statement, line, now };
  const known = await applyReports(tx, scope, before, now);
  switch (line.outcome) {
    case 'RECONCILED':
      return { ...(await confirmPayout(applying, known)), before };
    case 'RETURN':
      return { ...(await confirmReturn(applying, known)), before };
    case 'EXCEPTION': {
      const { exception } = line;
      if (exception === null) throw new Error('an exception without its kind');
      return { ...(await raiseException(applying, known.payment, exception)), before };
    }
  }
}

type Applied = Omit<LineApplied, 'before'>;

async function confirmPayout(applying: Applying, known: PaymentWithAttempts): Promise<Applied> {
  const { line } = applying;
  const told = hasPhase(known, line, 'SETTLED', 'RETURNED')
    ? known
    : await storeEvidence(applying, known, 'SETTLED', known.payment.amount);
  if (!hasPhase(told, line, 'SETTLED', 'RETURNED')) return raiseLate(applying, told.payment);
  const { payment } = told;
  const outcome = { line: line.line, outcome: 'RECONCILED', exception: null } as const;
  // An exception is a human's to resolve, unless all that was wrong is that this line was missing.
  const isOpen = payment.reconciliationStatus === 'PENDING' || isMissing(payment);
  if (!isOpen) return { ...outcome, after: payment };
  const found = lineEvidence(applying.statement, line);
  const after = await change(applying, payment, {
    reconciliationStatus: 'RECONCILED',
    reconciliationEvidence: reconciledEvidence(payment.reconciliationEvidence, found),
  });
  return { ...outcome, after };
}

async function confirmReturn(applying: Applying, known: PaymentWithAttempts): Promise<Applied> {
  const { line } = applying;
  const amount = statementMinor(line);
  if (!amount.ok) throw new Error('a return of an amount that cannot be read');
  const told = hasPhase(known, line, 'RETURNED')
    ? known
    : await storeEvidence(applying, known, 'RETURNED', amount.minor);
  if (!hasPhase(told, line, 'RETURNED')) return raiseLate(applying, told.payment);
  const { payment } = told;
  if (payment.returnInfo?.amount !== amount.minor.toString()) {
    return raiseException(applying, payment, 'AMOUNT_MISMATCH');
  }
  const outcome = { line: line.line, outcome: 'RETURN', exception: null } as const;
  const evidence = payment.reconciliationEvidence;
  if (evidence?.['return'] !== undefined) return { ...outcome, after: payment };
  const found = lineEvidence(applying.statement, line);
  const after = await change(applying, payment, {
    reconciliationEvidence: { ...evidence, return: found },
  });
  return { ...outcome, after };
}

/** The bank says one thing and its statement another: the payment's own fate stays what it was. */
function raiseLate(applying: Applying, payment: PaymentRow): Promise<Applied> {
  return raiseException(applying, payment, 'LATE');
}

async function raiseException(
  applying: Applying,
  payment: PaymentRow,
  exception: string,
): Promise<Applied> {
  const { line, statement } = applying;
  const outcome = { line: line.line, outcome: 'EXCEPTION', exception } as const;
  if (payment.reconciliationStatus === 'EXCEPTION' && !isMissing(payment)) {
    return { ...outcome, after: payment };
  }
  const { amount, currency } = line;
  const found = { ...lineEvidence(statement, line), amount, currency };
  const after = await change(applying, payment, {
    reconciliationStatus: 'EXCEPTION',
    reconciliationEvidence: exceptionEvidence(payment.reconciliationEvidence, exception, found),
  });
  return { ...outcome, after };
}

/** A statement is evidence: the bank's word in a line is judged like any other word of it. */
async function storeEvidence(
  applying: Applying,
  known: PaymentWithAttempts,
  status: 'SETTLED' | 'RETURNED',
  amount: bigint,
): Promise<PaymentWithAttempts> {
  const { tx, scope, statement, line, now } = applying;
  const { reference, bankReference, reason, paymentId } = line;
  const reportId = `${String(statement.id)}/${String(line.line)}`;
  const report = { reportId, paymentId, reference, status, bankReference, reason, amount };
  await storeStatementReport(tx, scope, report, now);
  return applyReports(tx, scope, known.payment, now);
}

function hasPhase(known: PaymentWithAttempts, line: LineToApply, ...phases: string[]): boolean {
  const attempt = known.attempts.find(({ reference }) => reference === line.reference);
  return attempt !== undefined && phases.includes(attempt.phase);
}

const isMissing = ({ reconciliationEvidence }: PaymentRow): boolean =>
  reconciliationEvidence?.['exception'] === 'MISSING_AT_BANK';

function change(
  { tx, scope, now }: Applying,
  payment: PaymentRow,
  patch: PaymentPatch,
): Promise<PaymentRow> {
  return changePayment(tx, scope, payment, { ...patch, actor: 'statement' }, now);
}
