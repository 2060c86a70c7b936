import { findWalletReview } from '../../db/parties/wallet-review-store.ts';
import { releaseWallet } from '../parties/wallets/release-wallet.ts';
import { wakeReview } from '../parties/wallets/wake-review.ts';
import { ApprovalRefused } from '../approvals/approval-refused.ts';
import type { ApplyApproval } from './apply-approval.ts';

/** Lets a wallet be paid whose address was under review, as two operators agreed. */
export const applyWalletRelease: ApplyApproval = async (deps, approval) => {
  const row = await deps.db.system((tx) => findWalletReview(tx, approval.subjectId));
  if (row === null) throw new ApprovalRefused(`There is no review ${approval.subjectId}.`);
  await releaseWallet(deps, row, approval);
  return `Released: ${row.id}. ${await wakeReview(deps, row)} They continue unless something else holds them.`;
};
