import { acceptForeign } from '../onchain/foreign-nonce.ts';
import type { ApplyApproval } from './apply-approval.ts';

/** What used a nonce of a hot address is no payment of ours. */
export const applyForeignNonce: ApplyApproval = async (deps, approval) => {
  await acceptForeign(deps, approval);
  return `The transaction that used ${approval.subjectId} counts as foreign once it is final.`;
};
