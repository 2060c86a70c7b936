import type { ScopedTransaction } from '../../../db/client/database.ts';
import { recordEvent } from '../../../db/webhooks/event-store.ts';
import {
  findWallet,
  moveWallet,
  writeWalletScreening,
  type WalletRow,
} from '../../../db/parties/wallet-store.ts';
import type { AddressFinding } from '../../../domain/parties/screening/address-screening.ts';
import type { Scope } from '../../../domain/scope.ts';
import { reviewFinding, type FoundReview, type LookUp } from './review-finding.ts';
import { walletEvent } from './wallet-view.ts';

/**
 * Writes what a wallet's address was found to be, and what follows: a PENDING one that is clear, or of which
 * operators have released just this find, becomes ACTIVE, and whichever is blocked or refused REJECTED, for good.
 * What is found waits for operators as a review. The caller holds the wallet's lock.
 */
export async function recordFinding(
  tx: ScopedTransaction,
  scope: Scope,
  row: WalletRow,
  found: LookUp,
  at: Date,
): Promise<WalletRow> {
  const { verdict, listVersion: list, match = null, reason } = found;
  const review = await reviewFinding(tx, scope, row, found, at);
  const move = moveAfter(row, verdict, review);
  // The database keeps no ACTIVE wallet that is blocked or was not looked up.
  if (move === 'REJECTED') await moveTo(tx, scope, row, move, at);
  await writeWalletScreening(tx, scope, row.id, {
    ...{ verdict, list, match, reason, at },
    reviewId: review?.id ?? null,
  });
  if (move === 'ACTIVE') await moveTo(tx, scope, row, move, at);
  const now = await findWallet(tx, scope, row.id);
  if (now === null) throw new Error(`wallet ${row.id} is gone under its lock`);
  return now;
}

function moveAfter(
  { status }: WalletRow,
  verdict: AddressFinding['verdict'],
  review: FoundReview | null,
): 'ACTIVE' | 'REJECTED' | null {
  if (verdict === 'CLEAR' || review?.outcome === 'RELEASED') {
    return status === 'PENDING' ? 'ACTIVE' : null;
  }
  const isInUse = status === 'PENDING' || status === 'ACTIVE';
  return isInUse && (verdict === 'BLOCKED' || review?.outcome === 'REFUSED') ? 'REJECTED' : null;
}

/** Writes the next version of a locked wallet, with its event. */
export async function moveTo(
  tx: ScopedTransaction,
  scope: Scope,
  row: WalletRow,
  status: 'ACTIVE' | 'REJECTED',
  at: Date,
): Promise<void> {
  const moved = await moveWallet(tx, scope, row, { status }, at);
  const type = status === 'ACTIVE' ? 'wallet.activated' : 'wallet.rejected';
  await recordEvent(tx, scope, walletEvent(type, moved), at);
}
