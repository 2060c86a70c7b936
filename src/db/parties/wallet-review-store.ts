import type { Network } from '../../domain/onchain/network.ts';
import type { LookUpReason } from '../../domain/parties/screening/address-screening.ts';
import type { AddressHit, ReviewState } from '../../domain/parties/screening/wallet-verdict.ts';
import type { Environment, Scope } from '../../domain/scope.ts';
import type { AnyTransaction, ScopedTransaction, SystemTransaction } from '../client/database.ts';
import type { WalletStatus } from './wallet-store.ts';

/** RELEASED by two operators, REFUSED by one, SUPERSEDED by a later look-up, EXPIRED after 30 days. */
export type ReviewOutcome = Exclude<ReviewState, 'OPEN'>;

/** A review with its wallet, as operators see it. */
export interface WalletReviewRow extends AddressHit {
  readonly id: string;
  readonly customerId: string;
  readonly environment: Environment;
  readonly walletId: string;
  readonly endUserId: string | null;
  readonly network: Network;
  readonly address: string;
  readonly walletStatus: WalletStatus;
  readonly foundAt: LookUpReason;
  readonly openedAt: Date;
  readonly outcome: ReviewOutcome | null;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly reason: string | null;
}

/** How a review ends. */
interface ReviewDecision {
  readonly outcome: ReviewOutcome;
  /** `operator:<name>` or `system:<part>`. */
  readonly actor: string;
  readonly at: Date;
  readonly reason: string;
}

const COLUMNS = `r.id, r.customer_id AS "customerId", r.environment, r.wallet_id AS "walletId",
  w.end_user_id AS "endUserId", w.network, w.address, w.status AS "walletStatus", r.verdict,
  r.list_version AS "listVersion", r.match, r.found_at AS "foundAt", r.opened_at AS "openedAt",
  r.outcome, r.decided_by AS "decidedBy", r.decided_at AS "decidedAt", r.reason`;

const FROM = `FROM wallet_reviews r JOIN wallets w ON w.customer_id = r.customer_id
  AND w.environment = r.environment AND w.id = r.wallet_id`;

/** A review of whichever customer; null where there is none. */
export async function findWalletReview(
  tx: SystemTransaction,
  id: string,
): Promise<WalletReviewRow | null> {
  const rows = await tx.query<WalletReviewRow>(`SELECT ${COLUMNS} ${FROM} WHERE r.id = $1`, [id]);
  return rows[0] ?? null;
}

/** Open reviews, oldest first. */
export function listOpenReviews(
  tx: SystemTransaction,
  environment: Environment | null,
  limit: number,
): Promise<WalletReviewRow[]> {
  return tx.query<WalletReviewRow>(
    `SELECT ${COLUMNS} ${FROM}
     WHERE r.outcome IS NULL AND (:environment::text IS NULL OR r.environment = :environment)
     ORDER BY r.seq LIMIT :limit`,
    { environment, limit },
  );
}

/**
 * Reviews that end without a word of operators, at most `limit`: open ones from before `openedBefore`, and refused
 * ones whose wallet was not rejected yet.
 */
export function listReviewsToEnd(
  tx: SystemTransaction,
  environment: Environment,
  openedBefore: Date,
  limit: number,
): Promise<WalletReviewRow[]> {
  return tx.query<WalletReviewRow>(
    `(SELECT ${COLUMNS} ${FROM}
      WHERE r.outcome IS NULL AND r.environment = :environment AND r.opened_at <= :openedBefore
      ORDER BY r.seq LIMIT :limit)
     UNION ALL
     (SELECT ${COLUMNS} ${FROM}
      WHERE w.review_id = r.id AND w.review_id IS NOT NULL AND w.environment = :environment
        AND w.status IN ('PENDING', 'ACTIVE') AND r.outcome = 'REFUSED' LIMIT :limit)`,
    { environment, openedBefore, limit },
  );
}

/** The reviews of a locked wallet that still say something: the open one, and those of what was decided. */
export function readReviewsOf(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  walletId: string,
): Promise<(AddressHit & { readonly id: string; readonly outcome: ReviewOutcome | null })[]> {
  return tx.query(
    `SELECT id, verdict, list_version AS "listVersion", match, outcome FROM wallet_reviews
     WHERE customer_id = $1 AND environment = $2 AND wallet_id = $3
       AND (outcome IS NULL OR outcome IN ('RELEASED', 'REFUSED')) ORDER BY seq DESC`,
    [customerId, environment, walletId],
  );
}

/** Opens a review of a locked wallet. The database refuses a second open one. */
export async function insertWalletReview(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  review: AddressHit & {
    readonly id: string;
    readonly walletId: string;
    readonly foundAt: LookUpReason;
    readonly at: Date;
  },
): Promise<void> {
  await tx.query(
    `INSERT INTO wallet_reviews (id, customer_id, environment, wallet_id, verdict, list_version, match,
       found_at, opened_at)
     VALUES (:id, :customerId, :environment, :walletId, :verdict, :listVersion, :match, :foundAt, :at)`,
    { customerId, environment, ...review },
  );
}

/** Ends an open review; false where it was ended before. The database guards who may write which end. */
export async function decideWalletReview(
  tx: AnyTransaction,
  { customerId, environment }: Scope,
  id: string,
  decision: ReviewDecision,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE wallet_reviews
     SET outcome = :outcome, decided_by = :actor, decided_at = :at, reason = :reason
     WHERE customer_id = :customerId AND environment = :environment AND id = :id
       AND outcome IS NULL RETURNING id`,
    { customerId, environment, id, ...decision },
  );
  return rows.length > 0;
}

/** A payment to a wallet, as the one who decides sees it. */
export interface ReviewedPayment {
  readonly id: string;
  readonly status: string;
  readonly statusDetail: string | null;
  /** Minor units. */
  readonly amount: bigint;
  readonly currency: string;
}

/** Unfinished payments to a wallet, oldest first. */
export function listPaymentsTo(
  tx: SystemTransaction,
  { customerId, environment }: Scope,
  walletId: string,
  limit: number,
): Promise<ReviewedPayment[]> {
  return tx.query<ReviewedPayment>(
    `SELECT id, status, status_detail AS "statusDetail", amount, currency FROM payments
     WHERE customer_id = :customerId AND environment = :environment AND wallet_id = :walletId
       AND status IN ('PROCESSING', 'ON_HOLD') ORDER BY seq LIMIT :limit`,
    { customerId, environment, walletId, limit },
  );
}
