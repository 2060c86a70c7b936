import { approveDust } from '../onchain/deposits/ask-for-dust.ts';
import type { ApplyApproval } from './apply-approval.ts';

/** What lies at an address below the floor becomes deposits, as two operators agreed. */
export const applyDustDeposits: ApplyApproval = async (deps, approval) => {
  await approveDust(deps, approval);
  return 'The next poll cycle of the network makes deposits of the 20 largest transfers. You can refund them.';
};
