import { findDepositReview } from '../../db/onchain/deposit-review-store.ts';
import { clearDeposit } from '../onchain/deposits/decide-deposit.ts';
import { ApprovalRefused } from '../approvals/approval-refused.ts';
import type { ApplyApproval } from './apply-approval.ts';

/** Lets a deposit be credited whose sender was to be looked at, as two operators agreed. */
export const applyDepositClearance: ApplyApproval = async (deps, approval) => {
  const row = await deps.db.system((tx) => findDepositReview(tx, approval.subjectId));
  if (row === null) throw new ApprovalRefused(`Deposit ${approval.subjectId} is not held.`);
  await clearDeposit(deps, row, approval);
  return `Released: ${row.id}. The next poll cycle of ${row.network} credits it.`;
};
