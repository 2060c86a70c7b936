import { applyExceptionAct } from '../reconciliation/exceptions/apply-exception-act.ts';
import { applyExceptionSet } from '../reconciliation/exceptions/apply-exception-set.ts';
import { reverseExceptionAct } from '../reconciliation/exceptions/reverse-exception-act.ts';
import type { ApplyApproval } from './apply-approval.ts';

/** What an approved act about an exception does. */
export const applyException: ApplyApproval = async (deps, approval) => {
  const id = await applyExceptionAct(deps, approval);
  return `Done: ${id} ended exception ${approval.subjectId}.`;
};

/** What an approved set of such acts does. */
export const applyExceptions: ApplyApproval = async (deps, approval) => {
  const { done, skipped } = await applyExceptionSet(deps, approval);
  const left = skipped.length === 0 ? '' : ` Skipped: ${skipped.join('; ')}.`;
  return `Ended ${String(done)} exceptions.${left}`;
};

/** What an approved reversal of such an act does. */
export const applyExceptionReversal: ApplyApproval = async (deps, approval) => {
  const id = await reverseExceptionAct(deps, approval);
  return `Reversed: ${approval.subjectId}, by ${id}. The exception is open again.`;
};
