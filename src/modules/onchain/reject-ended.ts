import { isAnySignerAccountUnsure } from '../../db/onchain/signer-account-store.ts';
import {
  lockTransfer,
  readEndedTransfers,
  saveTransfer,
  type ChainTransferRow,
} from '../../db/onchain/chain-transfer-store.ts';
import type { SystemTransaction } from '../../db/client/database.ts';
import { mayChainHavePaid } from '../../db/onchain/foreign-transaction-store.ts';
import { lockUnclaimed } from '../../db/onchain/found-transaction-store.ts';
import { decodeUnsigned } from '../../domain/onchain/transaction.ts';
import { referenceMark } from '../../domain/onchain/transfer-call.ts';
import type { ChainDeps } from './chain-deps.ts';
import { claimFound } from './claim-found.ts';
import { pastFault } from './past-fault.ts';
import { paysTransfer } from './read-found.ts';

/**
 * Rejects what was given up while the network might have paid it, once it is known that it has not, and what has waited
 * for longer than the rate of its payment is held. What was found to have paid it becomes its own first, and is followed
 * as any other.
 */
export async function rejectEnded(deps: ChainDeps): Promise<void> {
  const { db, clock, place } = deps;
  const ended = await db.system(async (tx) =>
    (await isAnySignerAccountUnsure(tx, place)) ? [] : readEndedTransfers(tx, place, clock.now()),
  );
  for (const row of ended) {
    await pastFault(deps, row.reference, async () => {
      await claimFound(deps, row);
      await db.system(async (tx) => {
        const transfer = await lockTransfer(tx, row.reference);
        if (transfer === null) return;
        const reason = transfer.isGivenUp ? 'VOIDED' : 'QUOTE_EXPIRED';
        await rejectWaiting(tx, transfer, reason, clock.now());
      });
    });
  }
}

/** Rejects a transfer that is locked and waits. False where it does not wait, or the network may have paid it. */
export async function rejectWaiting(
  tx: SystemTransaction,
  transfer: ChainTransferRow,
  reason: 'VOIDED' | 'QUOTE_EXPIRED',
  now: Date,
): Promise<boolean> {
  const { reference, state } = transfer;
  if (state !== 'WAITING' || (await mayChainHavePaid(tx, transfer, reference))) return false;
  const found = await lockUnclaimed(tx, transfer, referenceMark(reference));
  const transaction = found === null ? null : decodeUnsigned(found.unsigned);
  // Whatever was said of it: it is this payment, and becomes its transfer.
  if (transaction !== null && paysTransfer(transaction, transfer)) return false;
  await saveTransfer(tx, { ...transfer, state: 'REJECTED', hold: null, reason }, now);
  return true;
}
