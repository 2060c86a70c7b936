import { ApprovalRefused } from '../approvals/approval-refused.ts';
import { decideApproval } from '../approvals/decide-approval.ts';
import type { OperatorAct } from '../approvals/propose-approval.ts';
import { voidRefused } from '../approvals/void-approval.ts';
import type { EffectDeps } from './apply-approval.ts';
import { APPROVAL_EFFECTS, type ApprovalEffects } from './approval-effects.ts';

/**
 * Takes a second operator's word and does what was approved: two transactions of two roles. Where the second
 * is cut off, the same again does it; where it is refused, the approval is void. Answers a sentence. Throws
 * ApprovalRefused.
 */
export async function approveProposal(
  deps: EffectDeps,
  id: string,
  act: OperatorAct,
  effects: ApprovalEffects = APPROVAL_EFFECTS,
): Promise<string> {
  const approval = await decideApproval(deps, id, 'APPROVED', act);
  try {
    return await effects[approval.action](deps, approval);
  } catch (error) {
    if (!(error instanceof ApprovalRefused)) throw error;
    const why = { operator: act.operator, reason: error.message };
    if (!(await voidRefused(deps, approval, why))) throw error;
    throw new ApprovalRefused(`${error.message} The approval is void.`);
  }
}
