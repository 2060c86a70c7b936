import { recordAudit } from '../../../db/operations/audit-store.ts';
import type { Database } from '../../../db/client/database.ts';
import {
  decideWalletReview,
  listReviewsToEnd,
  type WalletReviewRow,
} from '../../../db/parties/wallet-review-store.ts';
import { lockWallet } from '../../../db/parties/wallet-store.ts';
import { actorText, systemActor } from '../../../domain/actor.ts';
import type { Clock } from '../../../domain/clock.ts';
import { WALLET_REVIEW_MAX_MS } from '../../../domain/parties/screening/wallet-verdict.ts';
import type { Environment } from '../../../domain/scope.ts';
import { moveTo } from './record-finding.ts';
import { rejectReviewed } from './refuse-wallet.ts';

interface EndDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Told of a review that could not be ended; the others are. */
  readonly onFault: (reviewId: string, error: unknown) => void;
}

/** Reviews that one run ends; the next run ends the others. */
const REVIEWS_AT_ONCE = 100;

const SCREENING = systemActor('screening');

/**
 * Ends the reviews that no one decided within 30 days, each with its wallet, which is rejected, and rejects what an
 * operator refused and a cut-off act left. Answers how many it looked at. May run twice at a time.
 */
export async function endReviews(deps: EndDeps, environment: Environment): Promise<number> {
  const openedBefore = new Date(deps.clock.now().getTime() - WALLET_REVIEW_MAX_MS);
  const rows = await deps.db.system((tx) =>
    listReviewsToEnd(tx, environment, openedBefore, REVIEWS_AT_ONCE),
  );
  for (const row of rows) {
    const end = row.outcome === null ? expire : rejectReviewed;
    await end(deps, row).catch((error: unknown) => {
      deps.onFault(row.id, error);
    });
  }
  return rows.length;
}

async function expire(
  { db, clock }: Omit<EndDeps, 'onFault'>,
  row: WalletReviewRow,
): Promise<void> {
  const { id, customerId, environment, walletId } = row;
  const scope = { customerId, environment };
  await db.write(scope, async (tx) => {
    const at = clock.now();
    const wallet = await lockWallet(tx, scope, walletId);
    const reason = 'No operator decided within 30 days.';
    const decision = { outcome: 'EXPIRED', actor: actorText(SCREENING), at, reason } as const;
    if (!(await decideWalletReview(tx, scope, id, decision))) return;
    await recordAudit(tx, {
      at,
      actor: SCREENING,
      action: 'wallet_review.expire',
      scope,
      subject: `wallet_reviews/${id}`,
      details: { wallet: walletId },
    });
    const isInUse = wallet?.status === 'PENDING' || wallet?.status === 'ACTIVE';
    if (isInUse && wallet.reviewId === id) await moveTo(tx, scope, wallet, 'REJECTED', at);
  });
}
