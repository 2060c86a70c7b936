import { ApprovalRefused } from '../approvals/approval-refused.ts';
import {
  proposeApproval,
  type ApprovalDeps,
  type OperatorAct,
} from '../approvals/propose-approval.ts';
import { useApproval } from '../approvals/use-approval.ts';
import type { ApprovalRow } from '../../db/approvals/approval-store.ts';
import { recordAudit } from '../../db/operations/audit-store.ts';
import type { AttemptRow } from '../../db/payments/settlement-attempt-store.ts';
import { findStatementWord } from '../../db/reconciliation/statement-word-store.ts';
import {
  bankWordOf,
  findConfirmationObstacle,
  hasSaidOtherwise,
  type ConfirmationObstacle,
  type ConfirmedOutcome,
} from '../../domain/payments/confirm-outcome.ts';
import { settleByReport } from '../../domain/payments/settle-by-report.ts';
import type { Scope } from '../../domain/scope.ts';
import { withLockedPayment, type LockDeps } from './lock-payment.ts';
import { settlementOf, type LockedPayment } from './locked-payment.ts';
import { quietSince } from './stuck-payments.ts';
import { takeSteps } from './take-steps.ts';

/** What operators say became of a payment at the bank, and by what they know it. */
export interface Confirmation {
  readonly outcome: ConfirmedOutcome;
  /** Our reference of the attempt that it is said of. */
  readonly reference: string;
  /** The bank's own reference of the transfer; null where it has none. */
  readonly bankReference: string | null;
  /** Where the bank says so: the number of its letter, case or message. */
  readonly evidence: string;
}

const ACTIONS = { SETTLED: 'CONFIRM_SETTLED', FAILED: 'CONFIRM_FAILED' } as const;

/**
 * Proposes what became of a payment whose outcome the bank does not tell; null where such a proposal about it
 * waits. Throws ApprovalRefused where it cannot be said, or not now.
 */
export async function proposeConfirmation(
  deps: LockDeps & ApprovalDeps,
  scope: Scope,
  paymentId: string,
  { outcome, reference, bankReference, evidence }: Confirmation,
  act: OperatorAct,
): Promise<string | null> {
  const { version, bankSaid } = await withLockedPayment(deps, scope, paymentId, async (locked) => {
    const attempt = await requireConfirmable(locked, outcome, reference);
    return { version: locked.payment.version, bankSaid: bankWordOf(attempt) };
  });
  const proposal = {
    action: ACTIONS[outcome],
    subjectId: paymentId,
    subjectVersion: version,
    content: {
      ...{ reference, bankSaid, evidence },
      ...(bankReference === null ? {} : { bankReference }),
    },
  };
  return proposeApproval(deps, scope, proposal, act);
}

/**
 * Ends a payment as two operators agreed, by the rules of a report of the bank: attempt, payment, ledger,
 * event and audit entry in one transaction. Nothing is sent. Throws ApprovalRefused where the payment has
 * changed since, or the bank or a statement has said otherwise; what the bank says later is judged against it.
 */
export function confirmOutcome(deps: LockDeps, approval: ApprovalRow): Promise<LockedPayment> {
  const { customerId, environment, subjectId, proposedBy, reason } = approval;
  const scope = { customerId, environment };
  const outcome = approval.action === ACTIONS.SETTLED ? 'SETTLED' : 'FAILED';
  const { reference, bankReference, evidence, bankSaid } = readContent(approval);
  return withLockedPayment(deps, scope, subjectId, async (locked) => {
    const { tx, now, payment } = locked;
    const attempt = await requireConfirmable(locked, outcome, reference);
    if (hasSaidOtherwise(outcome, bankSaid, bankWordOf(attempt))) {
      throw new ApprovalRefused(WHY_NOT.BANK_SAID_OTHERWISE);
    }
    await useApproval(tx, scope, approval, payment.version, now);
    const status = outcome === 'SETTLED' ? 'SETTLED' : 'REJECTED';
    const report = { status, bankReference, reason: null, returnedAmount: null, at: null } as const;
    const source = { kind: 'OPERATORS', approvalId: approval.id } as const;
    const settlement = settlementOf(locked, attempt);
    const { effect, steps } = settleByReport(settlement, report, source, now);
    if (effect !== (outcome === 'SETTLED' ? 'COMPLETE' : 'REJECT')) {
      throw new ApprovalRefused(WHY_NOT.NOT_WAITING);
    }
    const actor = { kind: 'OPERATOR', name: approval.decidedBy ?? '' } as const;
    await recordAudit(tx, {
      ...{ at: now, actor, scope, subject: subjectId },
      action: outcome === 'SETTLED' ? 'payment.confirm_settled' : 'payment.confirm_failed',
      details: { reference, bankReference, evidence, approval: approval.id, proposedBy, reason },
    });
    return takeSteps(locked, steps, actor);
  });
}

async function requireConfirmable(
  { tx, scope, payment, attempts, now }: LockedPayment,
  outcome: ConfirmedOutcome,
  reference: string,
): Promise<AttemptRow> {
  if (payment.destination.kind === 'WALLET') {
    throw new ApprovalRefused(
      'A bank does not pay this payment. The mined transaction decides its outcome.',
    );
  }
  const { environment } = scope;
  // Funds go back for the whole payment; that it was paid is said of one attempt.
  const about = outcome === 'FAILED' ? attempts.map((one) => one.reference) : [reference];
  const statement = await findStatementWord(tx, environment, about);
  const quiet = quietSince(now)[environment].SENT;
  const known = { payment, attempts, reference, statement, quietSince: quiet, now };
  const obstacle = findConfirmationObstacle(outcome, known);
  if (obstacle !== null) throw new ApprovalRefused(WHY_NOT[obstacle]);
  const attempt = attempts.find((one) => one.reference === reference);
  if (attempt === undefined) throw new ApprovalRefused(WHY_NOT.NOT_WAITING);
  return attempt;
}

const WHY_NOT: Readonly<Record<ConfirmationObstacle, string>> = {
  NOT_WAITING:
    'Operators cannot decide the outcome of this payment now. It has ended, the engine is still asking the bank, or the bank accepted it too recently.',
  NEVER_SENT: 'The payment was never sent. Retry it, or ask the customer to cancel it.',
  SENDING: 'The payment may be on its way to the bank right now. Check again in a few minutes.',
  OTHER_ATTEMPT:
    'This is not the last attempt of the payment. Give the reference of the last attempt.',
  NOT_ASKED:
    'The engine has not asked the bank since the payment was sent. Retry the payment: a retry asks the bank first.',
  BANK_SAID_OTHERWISE:
    'The last answer of the bank says the opposite. Clear this up with the bank first.',
  CONTRADICTED:
    'The bank has reported or booked something that does not match. Returning the funds could pay twice. Clear this up with the bank. The bank’s statement then ends the payment.',
  STATEMENT_SAYS_OTHERWISE: 'A bank statement shows the opposite.',
};

function readContent({ content }: ApprovalRow) {
  const text = (name: string): string => {
    const value = content[name];
    if (typeof value === 'string') return value;
    throw new Error(`a confirmation says its ${name}`);
  };
  const bankReference = content['bankReference'] === undefined ? null : text('bankReference');
  const [reference, evidence] = [text('reference'), text('evidence')];
  return { reference, evidence, bankReference, bankSaid: text('bankSaid') };
}
