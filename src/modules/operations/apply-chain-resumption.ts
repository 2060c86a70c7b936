import { resumeNetwork } from '../onchain/resume-network.ts';
import type { ApplyApproval } from './apply-approval.ts';

/** A network that went back behind a final block is read again, and then goes on. */
export const applyChainResumption: ApplyApproval = async (deps, approval) => {
  await resumeNetwork(deps, approval);
  return 'The network resumes once its reader has verified all blocks up to this one again.';
};
