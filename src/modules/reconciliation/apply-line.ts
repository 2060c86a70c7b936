import { wasGivenBack, wasReturnedByAct } from '../../db/reconciliation/exception-act-store.ts';
import { storeStatementReport } from '../../db/payments/transfer-report-store.ts';
import type { PaymentRow } from '../../db/payments/payment-store.ts';
import { takeReturn } from '../../db/reconciliation/booked-return-store.ts';
import type { AppliedLine, LineToApply } from '../../db/reconciliation/statement-line-store.ts';
import type { StatementRow } from '../../db/reconciliation/statement-store.ts';
import { systemActor } from '../../domain/actor.ts';
import type { AttemptPhase } from '../../domain/payments/attempt.ts';
import type { PaymentChange } from '../../domain/payments/payment.ts';
import { statementMinor } from '../../domain/reconciliation/statement-amount.ts';
import { applyReports } from '../payments/apply-reports.ts';
import { changePayment } from '../payments/change-payment.ts';
import type { LockedPayment } from '../payments/locked-payment.ts';
import { contradictLate, isReturnLate, postLateReturn } from './late-return-line.ts';
import {
  type Evidence,
  exceptionEvidence,
  lineEvidence,
  payoutEvidence,
  reconciledEvidence,
} from './evidence.ts';

/** What became of a line, and its payment after it. */
interface LineApplied extends AppliedLine {
  readonly after: LockedPayment;
}

interface Applying {
  readonly statement: StatementRow;
  readonly line: LineToApply;
}

/**
 * Applies one judged line to its payment, which the caller has locked. Everything is decided by what
 * the payment already says, so a second run changes nothing. The outcome may differ from the judgement
 * where the payment's fate was decided in between.
 */
export async function applyLine(
  locked: LockedPayment,
  statement: StatementRow,
  line: LineToApply,
): Promise<LineApplied> {
  const applying = { statement, line };
  const creditId = line.isReturn ? await takeReturn(locked.tx, statement.id, line.line) : null;
  if (creditId !== null) return raiseCredited(applying, locked, creditId);
  switch (line.outcome) {
    case 'RECONCILED':
      return confirmPayout(applying, locked);
    case 'RETURN':
      return confirmReturn(applying, locked);
    case 'EXCEPTION': {
      const { exception } = line;
      if (exception === null) throw new Error('an exception without its kind');
      return raiseException(applying, locked, exception);
    }
  }
}

async function confirmPayout(applying: Applying, known: LockedPayment): Promise<LineApplied> {
  const { line } = applying;
  const told = hasPhase(known, line, 'SETTLED', 'RETURNED')
    ? known
    : await storeEvidence(applying, known, 'SETTLED');
  if (!hasPhase(told, line, 'SETTLED', 'RETURNED')) return raiseLate(applying, told);
  const { payment } = told;
  const isReturned = payment.status === 'RETURNED';
  // Operators gave the money back because the bank had not paid: now it has, and no book has that debit.
  if (isReturned && (await wasGivenBack(told.tx, payment.id))) return raiseLate(applying, told);
  const outcome = { line: line.line, outcome: 'RECONCILED', exception: null } as const;
  // An exception is an operator's to resolve, unless all that was wrong is that this line was missing.
  const isOpen = payment.reconciliationStatus === 'PENDING' || isMissing(payment);
  if (!isOpen) return { ...outcome, after: told };
  const found = lineEvidence(applying.statement, line);
  const evidence = reconciledEvidence(payment.reconciliationEvidence, found);
  // A return that only the bank's callback told was credited: the statement has yet to show it. None shows an act's.
  const isWhole =
    !isReturned ||
    evidence['return'] !== undefined ||
    (await wasReturnedByAct(told.tx, payment.id));
  if (!isWhole && isSameLine(payment.reconciliationEvidence, found)) {
    return { ...outcome, after: told };
  }
  const after = await change(told, {
    reconciliationStatus: isWhole ? 'RECONCILED' : 'PENDING',
    reconciliationEvidence: evidence,
  });
  return { ...outcome, after };
}

async function confirmReturn(applying: Applying, known: LockedPayment): Promise<LineApplied> {
  const { line } = applying;
  const amount = statementMinor(line);
  if (!amount.ok) throw new Error('a return of an amount that cannot be read');
  const isTold = hasPhase(known, line, 'RETURNED');
  if (!isTold && isReturnLate(known) && hasPhase(known, line, 'SETTLED')) {
    const after = await postLateReturn(known, applying.statement, line, amount.minor);
    return { line: line.line, outcome: 'EXCEPTION', exception: 'LATE_RETURN', after };
  }
  // Operators took another line of the bank as the return: this one is money that no book has.
  if (isTold && (await wasReturnedByAct(known.tx, known.payment.id))) {
    return raiseException(applying, known, 'DUPLICATE_AT_BANK');
  }
  const told = isTold ? known : await storeEvidence(applying, known, 'RETURNED');
  if (!hasPhase(told, line, 'RETURNED')) return raiseLate(applying, told);
  const { payment } = told;
  const credited = BigInt(payment.returnInfo?.amount ?? 0);
  if (credited !== amount.minor) return postDifference(applying, told, credited - amount.minor);
  const outcome = { line: line.line, outcome: 'RETURN', exception: null } as const;
  const evidence = payment.reconciliationEvidence;
  if (evidence?.['return'] !== undefined) return { ...outcome, after: told };
  const found = lineEvidence(applying.statement, line);
  const payout = payoutEvidence(evidence);
  const isOpen = payment.reconciliationStatus === 'PENDING' || isMissing(payment);
  const after = await change(told, {
    ...(isOpen && payout !== null ? { reconciliationStatus: 'RECONCILED' } : {}),
    reconciliationEvidence: { ...(isOpen ? payout : evidence), return: found },
  });
  return { ...outcome, after };
}

/**
 * The bank's callback made us credit another amount than the statement shows: what the customer has
 * stays, the difference goes to the suspense account, and an operator clears it.
 */
async function postDifference(
  { statement, line }: Applying,
  told: LockedPayment,
  difference: bigint,
): Promise<LineApplied> {
  const outcome = { line: line.line, outcome: 'EXCEPTION', exception: 'AMOUNT_MISMATCH' } as const;
  const known = told.payment.reconciliationEvidence;
  if (known?.['suspense'] !== undefined) return { ...outcome, after: told };
  const { amount, currency } = line;
  const suspense = { minorUnits: difference.toString(), currency };
  const found = { ...lineEvidence(statement, line), amount, currency, suspense };
  const after = await change(told, {
    reconciliationStatus: 'EXCEPTION',
    reconciliationEvidence: exceptionEvidence(known, 'AMOUNT_MISMATCH', found),
    movements: [{ kind: 'RETURN_DIFFERENCE', amount: difference }],
  });
  return { ...outcome, after };
}

/** The bank says one thing and its statement another: the payment's own fate stays what it was. */
function raiseLate(applying: Applying, told: LockedPayment): Promise<LineApplied> {
  return raiseException(applying, told, 'LATE');
}

/** Somebody has the money of this booking: another report showed it as a credit. It moves none again. */
async function raiseCredited(
  applying: Applying,
  told: LockedPayment,
  creditId: string,
): Promise<LineApplied> {
  const raised = await raiseException(applying, told, 'DUPLICATE_AT_BANK');
  return { ...raised, creditId };
}

async function raiseException(
  { line, statement }: Applying,
  told: LockedPayment,
  exception: string,
): Promise<LineApplied> {
  const outcome = { line: line.line, outcome: 'EXCEPTION', exception } as const;
  const { payment } = told;
  if (payment.reconciliationStatus === 'EXCEPTION' && !isMissing(payment)) {
    return { ...outcome, after: await contradictLate(told, exception) };
  }
  const { amount, currency } = line;
  const found = { ...lineEvidence(statement, line), amount, currency };
  const after = await change(told, {
    reconciliationStatus: 'EXCEPTION',
    reconciliationEvidence: exceptionEvidence(payment.reconciliationEvidence, exception, found),
  });
  return { ...outcome, after };
}

/** A statement is evidence: what the bank says in a line is judged like any other report of it. */
async function storeEvidence(
  { statement, line }: Applying,
  locked: LockedPayment,
  status: 'SETTLED' | 'RETURNED',
): Promise<LockedPayment> {
  const { reference, bankReference, reason, paymentId, amount, bookedAt } = line;
  const reportId = `${String(statement.id)}/${String(line.line)}`;
  const said = { status, bankReference, reason, amount, bookedAt };
  await storeStatementReport(
    locked.tx,
    locked.scope,
    { reportId, paymentId, reference, ...said },
    locked.now,
  );
  return applyReports(locked);
}

function hasPhase(
  { attempts }: LockedPayment,
  line: LineToApply,
  ...phases: readonly AttemptPhase[]
): boolean {
  const attempt = attempts.find(({ reference }) => reference === line.reference);
  return attempt !== undefined && phases.includes(attempt.phase);
}

const isSameLine = (known: Evidence | null, found: Evidence): boolean =>
  known?.['statementId'] === found['statementId'] && known?.['line'] === found['line'];

const isMissing = ({ reconciliationEvidence }: PaymentRow): boolean =>
  reconciliationEvidence?.['exception'] === 'MISSING_AT_BANK';

const change = (locked: LockedPayment, patch: PaymentChange): Promise<LockedPayment> =>
  changePayment(locked, patch, systemActor('bank-statement'));
