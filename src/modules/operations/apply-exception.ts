import { applyExceptionAct } from '../reconciliation/exceptions/apply-exception-act.ts';
import { reverseExceptionAct } from '../reconciliation/exceptions/reverse-exception-act.ts';
import type { ApplyApproval } from './apply-approval.ts';

/** What an approved act about an exception does. */
export const applyException: ApplyApproval = async (deps, approval) => {
  const id = await applyExceptionAct(deps, approval);
  return `Done: ${id} ended exception ${approval.subjectId}.`;
};

/** What an approved reversal of such an act does. */
export const applyExceptionReversal: ApplyApproval = async (deps, approval) => {
  const id = await reverseExceptionAct(deps, approval);
  return `Reversed: ${approval.subjectId}, by ${id}. The exception is open again.`;
};
