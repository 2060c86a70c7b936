import { actByApproval } from '../../approvals/act-by-approval.ts';
import { ApprovalRefused } from '../../approvals/approval-refused.ts';
import { proposeApproval, type OperatorAct } from '../../approvals/propose-approval.ts';
import type { ApprovalRow } from '../../../db/approvals/approval-store.ts';
import type { Database, ScopedTransaction } from '../../../db/client/database.ts';
import { shareEndUser } from '../../../db/parties/end-user-store.ts';
import {
  decideWalletReview,
  type WalletReviewRow,
} from '../../../db/parties/wallet-review-store.ts';
import { lockWallet, type WalletRow } from '../../../db/parties/wallet-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { Scope } from '../../../domain/scope.ts';
import { moveTo } from './record-finding.ts';

interface ReleaseDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** A review is written once: another find is another one. */
const REVIEW_VERSION = 1;

/** Whether operators may let the wallet of a review be paid: what is blocked is the list's to change. */
export const isReleasable = ({ outcome, verdict, walletStatus }: WalletReviewRow): boolean =>
  outcome === null &&
  verdict === 'REVIEW' &&
  (walletStatus === 'PENDING' || walletStatus === 'ACTIVE');

/** Proposes to release a wallet; null where a proposal about it waits already. */
export function proposeWalletRelease(
  deps: ReleaseDeps,
  row: WalletReviewRow,
  act: OperatorAct,
): Promise<string | null> {
  const { id: subjectId, customerId, environment, walletId: wallet } = row;
  return proposeApproval(
    deps,
    { customerId, environment },
    // The review says the rest, and stays as it is.
    { action: 'WALLET_RELEASE', subjectId, subjectVersion: REVIEW_VERSION, content: { wallet } },
    act,
  );
}

/**
 * Does what two operators approved: what was found is nothing, and the wallet is paid. Throws ApprovalRefused where
 * the wallet or its end-user is not in use any more, something else was found by then, or the review was decided.
 */
export function releaseWallet(
  deps: ReleaseDeps,
  row: WalletReviewRow,
  approval: ApprovalRow,
): Promise<void> {
  const { id, customerId, environment } = row;
  const scope = { customerId, environment };
  return actByApproval(deps, scope, approval, {
    action: 'wallet_review.release',
    subject: `wallet_reviews/${id}`,
    details: { wallet: row.walletId },
    async lock(tx) {
      return { it: await lockReviewed(tx, scope, row), version: REVIEW_VERSION };
    },
    async act(tx, wallet, word) {
      const decision = { outcome: 'RELEASED', ...word } as const;
      if (wallet.reviewId !== id || !(await decideWalletReview(tx, scope, id, decision))) {
        throw new ApprovalRefused('It was already decided, or new findings have been added.');
      }
      if (wallet.status === 'PENDING') await moveTo(tx, scope, wallet, 'ACTIVE', word.at);
    },
  });
}

/** The wallet of a review, locked, and its end-user, who stays ACTIVE until the commit. */
async function lockReviewed(
  tx: ScopedTransaction,
  scope: Scope,
  { endUserId, walletId }: WalletReviewRow,
): Promise<WalletRow> {
  const endUser = endUserId === null ? null : await shareEndUser(tx, scope, endUserId);
  if (endUserId !== null && endUser?.status !== 'ACTIVE') {
    throw new ApprovalRefused(`End-user ${endUserId} is not ACTIVE.`);
  }
  const wallet = await lockWallet(tx, scope, walletId);
  if (wallet?.status !== 'PENDING' && wallet?.status !== 'ACTIVE') {
    throw new ApprovalRefused(`Wallet ${walletId} is ${wallet?.status ?? 'gone'}.`);
  }
  return wallet;
}
