import { isAnySignerAccountUnsure } from '../../db/onchain/signer-account-store.ts';
import { findCarryingNonce, voidNonce } from '../../db/onchain/chain-nonce-store.ts';
import { keepGivenUp, lockTransfer } from '../../db/onchain/chain-transfer-store.ts';
import type { ChainDeps } from './chain-deps.ts';
import { rejectWaiting } from './reject-ended.ts';

/**
 * An operator gives a transfer up: one without a nonce is REJECTED at once, the nonce of any other is to be used up by
 * a transaction that moves nothing, and what is mined decides. One without a nonce, of a network that may have paid
 * what the database does not know, takes none from now on, and is REJECTED once the network is known not to have paid
 * it. False where it is settled, was told as settled, is over, unknown, or its nonce is given up already, and where
 * what was found may be its payment.
 */
export async function voidTransfer(
  { db, clock, place }: ChainDeps,
  reference: string,
): Promise<boolean> {
  const now = clock.now();
  return db.system(async (tx) => {
    // Before the transfer: the order in which every writer locks.
    const carrying = await findCarryingNonce(tx, place, reference);
    const transfer = await lockTransfer(tx, reference);
    if (transfer?.environment !== place.environment || transfer.network !== place.network) {
      return false;
    }
    // What a payment was told is COMPLETED is mined again, or comes back as a return.
    if (transfer.told !== null && transfer.told !== 'REJECTED') return false;
    if (carrying !== null) return voidNonce(tx, carrying, 'VOIDED', now);
    if (transfer.state !== 'WAITING' || !(await isAnySignerAccountUnsure(tx, place))) {
      return rejectWaiting(tx, transfer, 'VOIDED', now);
    }
    await keepGivenUp(tx, reference, now);
    return true;
  });
}
