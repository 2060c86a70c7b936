import type { OperatorAct } from '../../approvals/propose-approval.ts';
import { recordAudit } from '../../../db/operations/audit-store.ts';
import type { Database } from '../../../db/client/database.ts';
import {
  decideWalletReview,
  type WalletReviewRow,
} from '../../../db/parties/wallet-review-store.ts';
import { lockWallet } from '../../../db/parties/wallet-store.ts';
import { actorText } from '../../../domain/actor.ts';
import type { Clock } from '../../../domain/clock.ts';
import { moveTo } from './record-finding.ts';

interface RefuseDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/**
 * Takes one operator's word that a wallet is not paid: payments to it fail from now on. False where the review was
 * decided before. Refusing is of the operators' role, and rejecting the wallet of its scope's: where the second is
 * cut off, no payment leaves either, and `endReviews` does it.
 */
export async function refuseWallet(
  deps: RefuseDeps,
  row: WalletReviewRow,
  { operator, reason }: OperatorAct,
): Promise<boolean> {
  const { id, customerId, environment, walletId } = row;
  const scope = { customerId, environment };
  const actor = { kind: 'OPERATOR', name: operator } as const;
  const isRefused = await deps.db.system(async (tx) => {
    const at = deps.clock.now();
    const decision = { outcome: 'REFUSED', actor: actorText(actor), at, reason } as const;
    if (!(await decideWalletReview(tx, scope, id, decision))) return false;
    await recordAudit(tx, {
      at,
      actor,
      action: 'wallet_review.refuse',
      scope,
      subject: `wallet_reviews/${id}`,
      details: { wallet: walletId, reason },
    });
    return true;
  });
  if (isRefused) await rejectReviewed(deps, row);
  return isRefused;
}

/** Rejects the wallet of a refused review. Again: nothing. */
export async function rejectReviewed(
  { db, clock }: RefuseDeps,
  { id, customerId, environment, walletId }: WalletReviewRow,
): Promise<void> {
  const scope = { customerId, environment };
  await db.write(scope, async (tx) => {
    const wallet = await lockWallet(tx, scope, walletId);
    if (wallet?.reviewId !== id) return;
    if (wallet.status !== 'PENDING' && wallet.status !== 'ACTIVE') return;
    await moveTo(tx, scope, wallet, 'REJECTED', clock.now());
  });
}
