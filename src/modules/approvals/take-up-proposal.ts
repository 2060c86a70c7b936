import { takeUpApproval } from '../../db/approvals/approval-store.ts';
import { recordAudit } from '../../db/operations/audit-store.ts';
import { ApprovalRefused } from './approval-refused.ts';
import { auditOf, lockKnown, RAN_OUT, refuseDecided, sayWhyRefused } from './decide-approval.ts';
import { signDecision } from './signatures/decision-signer.ts';
import { decisionOf } from './signatures/judge-signatures.ts';
import type { ApprovalDeps, OperatorAct } from './propose-approval.ts';

/**
 * Makes a proposal that a command handed in an operator's own: a second one can approve it then. Throws
 * ApprovalRefused where it is an operator's already, decided or run out.
 */
export function takeUpProposal(
  { db, clock, tellApprovers }: ApprovalDeps,
  id: string,
  { operator, reason, signer }: OperatorAct,
): Promise<void> {
  return db.system(async (tx) => {
    const at = clock.now();
    const approval = await lockKnown(tx, id);
    refuseDecided(approval);
    if (approval.proposedBy !== null)
      throw new ApprovalRefused('Another operator is already the proposer.');
    if (approval.expiresAt <= at) throw new ApprovalRefused(RAN_OUT);
    await takeUpApproval(tx, id, operator, at).catch(sayWhyRefused);
    if (signer !== undefined) {
      const by = { step: 'PROPOSE', operatorId: operator, reason } as const;
      await signDecision(tx, signer, decisionOf(approval, by), at);
    }
    await recordAudit(tx, auditOf(approval, 'approval.take_up', { operator, reason }, at));
    const { action } = approval;
    await tellApprovers?.(tx, { approvalId: id, action, proposedBy: operator });
  });
}
