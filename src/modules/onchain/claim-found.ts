import {
  lockTransfer,
  saveTransfer,
  type ChainTransferRow,
} from '../../db/onchain/chain-transfer-store.ts';
import type { SystemTransaction } from '../../db/client/database.ts';
import { readForeignOutcomes } from '../../db/onchain/foreign-transaction-store.ts';
import {
  claimNonce,
  lockUnclaimed,
  type UnclaimedTransfer,
} from '../../db/onchain/found-transaction-store.ts';
import { decodeUnsigned } from '../../domain/onchain/transaction.ts';
import { referenceMark } from '../../domain/onchain/transfer-call.ts';
import { laterReferences } from '../../domain/payments/reference.ts';
import type { ChainDeps } from './chain-deps.ts';
import { movesTheSame, paysTransfer } from './read-found.ts';

/** References of later attempts that are looked for, too: before the restore one of them may have been paid. */
const LATER_ATTEMPTS = 3;

/** The marks of what may have paid a reference: its own, and those of the attempts after it. */
export const marksOf = (reference: string): readonly Uint8Array[] =>
  [reference, ...laterReferences(reference, LATER_ATTEMPTS)].map(referenceMark);

/**
 * Looks for a transfer among those that were found on the chain after a restore, by its reference's mark: one
 * that is there was paid before the restore, and its nonce becomes the transfer's. So does that of a later attempt's
 * mark, of which two operators say that it paid this payment, where it moves the same. True where it
 * was found, and so is not to be paid now; a mark with another order calls a human, and is not paid.
 */
export async function claimFound(deps: ChainDeps, waiting: ChainTransferRow): Promise<boolean> {
  const { db, clock, alarm } = deps;
  const { reference, paymentId } = waiting;
  const claimed = await db.system(async (tx) => {
    const found = await lockFound(tx, deps, reference);
    if (found === null) return 'NONE';
    const transfer = await lockTransfer(tx, reference);
    if (transfer?.state !== 'WAITING') return 'CLAIMED';
    const transaction = decodeUnsigned(found.unsigned);
    if (transaction === null) return 'OTHER';
    const hasPaid =
      paysTransfer(transaction, transfer) ||
      (movesTheSame(transaction, transfer) && (await isSaidToPay(tx, found, reference)));
    if (!hasPaid) return 'OTHER';
    const now = clock.now();
    await claimNonce(tx, found, reference, now);
    await saveTransfer(tx, { ...transfer, state: 'CARRIED', hold: null }, now);
    return 'CLAIMED';
  });
  if (claimed === 'OTHER') alarm({ kind: 'PAID_OTHERWISE', paymentId });
  return claimed !== 'NONE';
}

/** The first that has the mark of the reference, or of an attempt after it. */
async function lockFound(
  tx: SystemTransaction,
  { place }: ChainDeps,
  reference: string,
): Promise<UnclaimedTransfer | null> {
  for (const mark of marksOf(reference)) {
    const found = await lockUnclaimed(tx, place, mark);
    if (found !== null) return found;
  }
  return null;
}

async function isSaidToPay(
  tx: SystemTransaction,
  found: UnclaimedTransfer,
  reference: string,
): Promise<boolean> {
  return (await readForeignOutcomes(tx, found, found.hash, reference)).includes('PAID');
}
