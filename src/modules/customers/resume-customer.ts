import { ApprovalRefused } from '../approvals/approval-refused.ts';
import { proposeApproval, type OperatorAct } from '../approvals/propose-approval.ts';
import { useApproval } from '../approvals/use-approval.ts';
import type { ApprovalRow } from '../../db/approvals/approval-store.ts';
import { recordAudit } from '../../db/operations/audit-store.ts';
import {
  resumeCustomerRow,
  type CustomerStatusRow,
} from '../../db/customers/customer-status-store.ts';
import type { Database } from '../../db/client/database.ts';
import type { Clock } from '../../domain/clock.ts';

interface ResumeDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** Of a customer that is suspended; null where a proposal about it waits already. */
export function proposeResumption(
  deps: ResumeDeps,
  { id, statusVersion }: CustomerStatusRow,
  act: OperatorAct,
): Promise<string | null> {
  // Approvals have a scope, and this one is about both: it is kept in that of real money.
  const scope = { customerId: id, environment: 'live' } as const;
  const about = { subjectId: id, subjectVersion: statusVersion, content: { to: 'ACTIVE' } };
  return proposeApproval(deps, scope, { action: 'CUSTOMER_RESUMPTION', ...about }, act);
}

/**
 * Lets a suspended customer work again, as two operators agreed. Throws ApprovalRefused where it is not
 * suspended any more, or was suspended anew since the proposal.
 */
export function resumeCustomer({ db, clock }: ResumeDeps, approval: ApprovalRow): Promise<void> {
  const { customerId, environment, subjectVersion, reason, proposedBy } = approval;
  const scope = { customerId, environment };
  return db.write(scope, async (tx) => {
    const at = clock.now();
    await useApproval(tx, scope, approval, subjectVersion, at);
    // The database compares the version: a suspension since then is a change in between.
    if (!(await resumeCustomerRow(tx, customerId).catch(sayIfChanged))) {
      throw new ApprovalRefused(`The customer ${customerId} is not suspended.`);
    }
    await recordAudit(tx, {
      at,
      actor: { kind: 'OPERATOR', name: approval.decidedBy ?? '' },
      action: 'customer.resume',
      scope,
      subject: customerId,
      details: { approval: approval.id, proposedBy, reason },
    });
  });
}

function sayIfChanged(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === '23514') {
    throw new ApprovalRefused(
      'The customer was suspended again after the proposal. Propose it again.',
    );
  }
  throw error;
}
