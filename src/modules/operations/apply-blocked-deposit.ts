import { findDepositReview } from '../../db/onchain/deposit-review-store.ts';
import { decideBlocked } from '../onchain/deposits/decide-blocked.ts';
import { ApprovalRefused } from '../approvals/approval-refused.ts';
import type { ApplyApproval } from './apply-approval.ts';

/** Credits a blocked deposit, or keeps it in suspense for good, as two operators agreed. */
export const applyBlockedDeposit: ApplyApproval = async (deps, approval) => {
  const row = await deps.db.system((tx) => findDepositReview(tx, approval.subjectId));
  if (row === null) throw new ApprovalRefused(`Deposit ${approval.subjectId} is not blocked.`);
  return (await decideBlocked(deps, row, approval)) === 'RELEASE'
    ? `Released: ${row.id} is credited.`
    : `Kept: ${row.id} stays in suspense for good.`;
};
