import type { ScopedTransaction } from '../../../db/client/database.ts';
import { lockReleaseShared } from '../../../db/operations/release-stop-store.ts';
import { mayHavePaidOut } from '../../../db/operations/restore-mode-store.ts';
import { creditDeposit, type BookStep } from '../../../domain/onchain/deposits/funding-book.ts';
import { bookDeposit, type BookDeps, type JudgedDeposit } from './book-deposit.ts';
import type { LockedBook } from '../../ledger/funding/locked-book.ts';

/**
 * Credits a deposit; one of which a part would be the customer's, although a database before a restore may have paid all of
 * it out, waits for operators first. The repeated request may ask for less, for another asset, or come too late.
 */
export function creditOrHold(deps: BookDeps, deposit: JudgedDeposit): Promise<boolean> {
  return bookDeposit(
    deps,
    deposit,
    creditDeposit,
    async (tx, locked, step) =>
      deposit.review !== 'RELEASED' && (await mayBePaidOut(tx, locked, step, deposit.id)),
  );
}

async function mayBePaidOut(
  tx: ScopedTransaction,
  { payment, rows }: LockedBook,
  { changed }: BookStep,
  id: string,
): Promise<boolean> {
  const row = rows.find((one) => one.id === id);
  const credited = changed.find((one) => one.id === id);
  if (payment === null || row === undefined || credited === undefined) return false;
  if (credited.applied?.toPayment === credited.amount) return false;
  // Restore mode may be beginning.
  await lockReleaseShared(tx);
  return mayHavePaidOut(tx, row, payment);
}
