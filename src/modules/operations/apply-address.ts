import { approveAddress } from '../customers/decide-address.ts';
import type { ApplyApproval } from './apply-approval.ts';

/** What an approved address does: its key may be used from there, and its owners are told. */
export const applyAddress: ApplyApproval = async (deps, approval) => {
  const mailIds = await deps.db.system((tx) => approveAddress(deps, tx, approval));
  mailIds.forEach(deps.dispatchMail);
  return `Approved: ${approval.subjectId}. The key may be used from this address.`;
};
