import { acceptForeign } from '../onchain/foreign-nonce.ts';
import type { ApplyApproval } from './apply-approval.ts';

/** What used a nonce of a hot address is no payment of ours. */
export const applyForeignNonce: ApplyApproval = async (deps, approval) => {
  await acceptForeign(deps, approval);
  return `What used ${approval.subjectId} counts as another's once it is final.`;
};
