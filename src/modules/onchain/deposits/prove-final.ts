import { recordEvent } from '../../../db/webhooks/event-store.ts';
import { moveFinalDeposit } from '../../../db/onchain/deposit-store.ts';
import type { UnbookedDeposit } from '../../../db/onchain/read-deposit-store.ts';
import type { BlockHeader } from '../../../domain/onchain/chain-facts.ts';
import { ChainUnreadable } from '../../../domain/onchain/chain-nodes.ts';
import { isForGood } from '../../../domain/onchain/deposits/deposit.ts';
import { takeBackFinal } from '../../../domain/onchain/deposits/funding-book.ts';
import { bookDeposit, onBook } from './book-deposit.ts';
import { depositEvent } from '../../ledger/funding/deposit-view.ts';
import { proveTransaction } from './find-transfers.ts';
import { pastRefusal } from './past-refusal.ts';
import type { ReaderDeps } from './reader-deps.ts';
import { isSameBlock, isSameEvent, isThere } from './settle-transaction.ts';

/**
 * Proves a deposit of a network that is resumed. What was final or kept and stands in another block up to `final` stays, and
 * moves there; what is not there is taken back, as by any reorganisation, and a human is told. What was not final is
 * proved as ever. Throws ChainUnreadable where the providers do not show yet what became of it.
 */
export async function proveFinal(
  deps: ReaderDeps,
  deposit: UnbookedDeposit,
  final: bigint,
): Promise<void> {
  if (!isForGood(deposit.status)) {
    await isThere(deps, deposit);
    return;
  }
  const stood = await deps.nodes.blockAt(deposit.blockNumber);
  // The block's hash commits to the receipt that proved it.
  if (stood?.hash === deposit.blockHash) return;
  const proved = await proveTransaction(deps, deposit.txHash);
  const found = proved?.find((one) => isSameEvent(one, deposit));
  if (found !== undefined && isSameBlock(found, deposit)) return;
  if (found !== undefined && found.block.number <= final) {
    await pastRefusal(deps, deposit, () => moveFinal(deps, deposit, found.block));
    return;
  }
  if (proved === null && stood === null) {
    throw new ChainUnreadable('NOT_PROVED');
  }
  const isTaken = await pastRefusal(deps, deposit, () => bookDeposit(deps, deposit, takeBackFinal));
  if (isTaken === true) deps.alarm({ kind: 'DEPOSIT_ORPHANED', depositId: deposit.id });
}

/** The same event in the block that holds it now. */
function moveFinal(
  deps: ReaderDeps,
  deposit: UnbookedDeposit,
  block: BlockHeader,
): Promise<boolean> {
  return onBook(deps, deposit, deposit.id, async (tx, scope) => {
    const at = deps.clock.now();
    const moved = await moveFinalDeposit(tx, scope, deposit.id, block, at);
    if (moved !== null) await recordEvent(tx, scope, depositEvent('deposit.updated', moved), at);
    return moved !== null;
  });
}
