import { ApprovalRefused } from '../approvals/approval-refused.ts';
import { proposeApproval, type OperatorAct } from '../approvals/propose-approval.ts';
import { useApproval } from '../approvals/use-approval.ts';
import type { ApprovalRow } from '../../db/approvals/approval-store.ts';
import { recordAudit } from '../../db/operations/audit-store.ts';
import type { Database, ScopedTransaction } from '../../db/client/database.ts';
import {
  decideLateReturn,
  lockLateReturn,
  type LateReturnDecision,
  type LateReturnRow,
} from '../../db/payments/late-return-store.ts';
import { lockPayments, type PaymentRow } from '../../db/payments/payment-store.ts';
import { updatePayments } from '../../db/payments/payment-write-store.ts';
import { readReturnedOf } from '../../db/reconciliation/exception-act-store.ts';
import type { Clock } from '../../domain/clock.ts';
import { isOnlyLate, lateReturnDecided } from '../../domain/payments/late-return.ts';
import { creditableOf } from '../../domain/reconciliation/exceptions/creditable.ts';
import type { Scope } from '../../domain/scope.ts';
import { nextVersion } from './change-payment.ts';

interface SettleDeps {
  readonly db: Database;
  readonly clock: Clock;
}

type Shown = LateReturnRow & { readonly amount: bigint; readonly currency: string };

/**
 * Proposes what becomes of money that came back late; null where a proposal about it waits. Throws
 * ApprovalRefused where nothing can be decided, or not so.
 */
export async function proposeLateReturn(
  deps: SettleDeps,
  scope: Scope,
  paymentId: string,
  decision: LateReturnDecision,
  act: OperatorAct,
): Promise<string | null> {
  const { payment, late } = await deps.db.write(scope, async (tx) => {
    const [locked] = await lockPayments(tx, scope, [paymentId]);
    const judged = judge(locked, await lockLateReturn(tx, scope, paymentId), decision);
    await refuseIfBack(tx, scope, judged.payment, judged.late, decision);
    return judged;
  });
  const { currency, amount, contradictedBy } = late;
  const proposal = {
    action: 'LATE_RETURN',
    subjectId: paymentId,
    subjectVersion: payment.version,
    content: {
      ...{ decision, currency, minorUnits: amount.toString() },
      ...(contradictedBy === null ? {} : { contradictedBy }),
    },
  } as const;
  return proposeApproval(deps, scope, proposal, act);
}

/**
 * Does what two operators approved: money, payment, history, event and audit entry in one transaction.
 * Throws ApprovalRefused where the payment has changed since, or the money was decided on before.
 */
export function settleLateReturn({ db, clock }: SettleDeps, approval: ApprovalRow): Promise<void> {
  const { customerId, environment, subjectId, reason, proposedBy } = approval;
  const scope = { customerId, environment };
  const decision = approval.content['decision'] === 'CREDIT' ? 'CREDIT' : 'KEEP';
  const actor = { kind: 'OPERATOR', name: approval.decidedBy ?? '' } as const;
  return db.write(scope, async (tx) => {
    const [locked] = await lockPayments(tx, scope, [subjectId]);
    const found = await lockLateReturn(tx, scope, subjectId);
    const at = clock.now();
    const { payment, late } = judge(locked, found, decision);
    await refuseIfBack(tx, scope, payment, late, decision);
    await useApproval(tx, scope, approval, payment.version, at);
    await decideLateReturn(tx, scope, subjectId, { decision, approvalId: approval.id, at });
    const { returned } = await readReturnedOf(tx, scope, payment);
    const change = lateReturnDecided(payment, { ...late, decision, returned }, at);
    await updatePayments(tx, scope, [nextVersion(payment, change, actor, at)], at);
    await recordAudit(tx, {
      ...{ at, actor, scope, subject: subjectId },
      action: 'payment.late_return',
      details: { decision, approval: approval.id, proposedBy, reason },
    });
  });
}

/** An act about another line may have credited the same money. Throws ApprovalRefused where it would be credited twice. */
async function refuseIfBack(
  tx: ScopedTransaction,
  scope: Scope,
  payment: PaymentRow,
  { amount }: Shown,
  decision: LateReturnDecision,
): Promise<void> {
  if (decision !== 'CREDIT') return;
  const paid = await readReturnedOf(tx, scope, payment);
  if (amount <= creditableOf(payment, { ...paid, waiting: 0n })) return;
  throw new ApprovalRefused(
    'The customer has this money already, by an act about another line. Reverse that act, or keep the money in suspense.',
  );
}

function judge(
  payment: PaymentRow | undefined,
  late: LateReturnRow | null,
  decision: LateReturnDecision,
): { readonly payment: PaymentRow; readonly late: Shown } {
  if (payment === undefined || late === null) {
    throw new ApprovalRefused('The payment has no late return.');
  }
  const { amount, currency } = late;
  if (late.decision !== null) {
    throw new ApprovalRefused(`It was already decided: ${late.decision}.`);
  }
  if (amount === null || currency === null) {
    throw new ApprovalRefused(
      'No statement shows the returned money yet. Decide when a statement shows it.',
    );
  }
  const isClear = late.contradictedBy === null && isOnlyLate(payment.reconciliationEvidence);
  if (decision === 'CREDIT' && !isClear) {
    throw new ApprovalRefused(
      'The bank’s reports about this payment contradict each other. The money stays in suspense until they are resolved.',
    );
  }
  return { payment, late: { ...late, amount, currency } };
}
