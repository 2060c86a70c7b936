import { retireSignerAccount } from '../onchain/retire-signer-account.ts';
import type { ApplyApproval } from './apply-approval.ts';

/** A frozen hot address is given up for ever, or one that is given up has nothing left that could be mined. */
export const applySignerAccountRetirement: ApplyApproval = async (deps, approval) => {
  await retireSignerAccount(deps, approval);
  return approval.content['why'] === 'MAY_STILL_PAY'
    ? `${approval.subjectId} is retired once all its final transactions are known.`
    : `${approval.subjectId} never signs again. The engine follows the transactions that it sent until they are final.`;
};
