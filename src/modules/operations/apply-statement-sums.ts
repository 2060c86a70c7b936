import { acceptSums } from '../reconciliation/accept-sums.ts';
import type { ApplyApproval } from './apply-approval.ts';

/** What an approved acceptance of sums does. */
export const applyStatementSums: ApplyApproval = async (deps, approval) => {
  const accepted = await acceptSums(deps, approval);
  return `Accepted: ${String(accepted)} lines. The next fetch applies them.`;
};
