import { removePasskeys } from '../customers/access/remove-passkeys.ts';
import type { ApplyApproval } from './apply-approval.ts';

/** What an approved removal of lost passkeys does. */
export const applyPasskeyRemoval: ApplyApproval = async (deps, approval) => {
  const removed = await removePasskeys(deps, approval);
  return `${approval.subjectId} has no passkeys left (${String(removed)} removed) and is logged out.`;
};
