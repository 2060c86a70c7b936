import { assignCredit } from '../ledger/funding/assign-credit.ts';
import { closeCredit } from '../ledger/funding/close-credit.ts';
import type { ApplyApproval } from './apply-approval.ts';

/** What an approved assignment does. */
export const applyCreditAssignment: ApplyApproval = async (deps, approval) => {
  await assignCredit(deps, approval);
  return `Assigned: ${approval.subjectId} to ${approval.customerId}. The amount is available.`;
};

/** What an approved closing does. */
export const applyCreditClosing: ApplyApproval = async (deps, approval) => {
  await closeCredit(deps, approval);
  return `Closed: ${approval.subjectId}.`;
};
