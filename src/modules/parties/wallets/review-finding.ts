import type { ScopedTransaction } from '../../../db/client/database.ts';
import { newId } from '../../../db/client/new-id.ts';
import {
  decideWalletReview,
  insertWalletReview,
  readReviewsOf,
  type ReviewOutcome,
} from '../../../db/parties/wallet-review-store.ts';
import type { WalletRow } from '../../../db/parties/wallet-store.ts';
import { actorText, systemActor } from '../../../domain/actor.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import type {
  AddressFinding,
  LookUpReason,
} from '../../../domain/parties/screening/address-screening.ts';
import { isSameHit } from '../../../domain/parties/screening/wallet-verdict.ts';
import type { Scope } from '../../../domain/scope.ts';

/** What was found, and when it was looked for. */
export interface LookUp extends AddressFinding {
  readonly reason: LookUpReason;
}

/** The review that a look-up belongs to. Null as an outcome: it waits for operators. */
export interface FoundReview {
  readonly id: string;
  readonly outcome: ReviewOutcome | null;
}

/**
 * The review of what a look-up of a locked wallet found; null where it found nothing. What was decided about the
 * same find is good for this one; another find gets a review of its own, and ends the one that was open.
 */
export async function reviewFinding(
  tx: ScopedTransaction,
  scope: Scope,
  { id: walletId }: WalletRow,
  { verdict, listVersion, match, reason: foundAt }: LookUp,
  at: Date,
): Promise<FoundReview | null> {
  const known = await readReviewsOf(tx, scope, walletId);
  const hit = verdict === 'CLEAR' ? null : { verdict, listVersion, match: match ?? null };
  const same = hit && (known.find((one) => isSameHit(one, hit)) ?? null);
  const open = known.find(({ outcome }) => outcome === null);
  if (open !== undefined && open !== same) {
    await supersede(tx, scope, open.id, 'A later look-up found something else, or nothing.', at);
  }
  if (hit === null || same !== null) return same;
  const id = newId(ID_PREFIXES.walletReview);
  await insertWalletReview(tx, scope, { ...hit, id, walletId, foundAt, at });
  return { id, outcome: null };
}

/** Ends the open review of a locked wallet that is not paid any more, if it has one. */
export async function supersedeReview(
  tx: ScopedTransaction,
  scope: Scope,
  { reviewId, review }: WalletRow,
  at: Date,
): Promise<void> {
  if (reviewId === null || review !== 'OPEN') return;
  await supersede(tx, scope, reviewId, 'The wallet was disabled.', at);
}

async function supersede(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
  reason: string,
  at: Date,
): Promise<void> {
  const actor = actorText(systemActor('screening'));
  await decideWalletReview(tx, scope, id, { outcome: 'SUPERSEDED', actor, at, reason });
}
