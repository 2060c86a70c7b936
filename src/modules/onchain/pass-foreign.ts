import {
  forgetFence,
  lockSignerAccount,
  takeNonce,
} from '../../db/onchain/signer-account-store.ts';
import { insertNonce, saveNonce } from '../../db/onchain/chain-nonce-store.ts';
import { isMarkUnderWay, lockTransfer } from '../../db/onchain/chain-transfer-store.ts';
import {
  findForeign,
  insertForeign,
  readForeignOutcomes,
} from '../../db/onchain/foreign-transaction-store.ts';
import type { MinedTransaction } from '../../domain/onchain/chain-facts.ts';
import { decodeSigned } from '../../domain/onchain/transaction.ts';
import { decodeTransferCall } from '../../domain/onchain/transfer-call.ts';
import type { ChainDeps, PollCycle } from './chain-deps.ts';
import { depthOf } from './find-nonce.ts';
import { endCarried, releaseNonce } from './release-nonce.ts';
import { movedToWallet, settleForeign, type ForeignUse } from './settle-foreign.ts';

/**
 * Goes past a transaction that two operators say is none of ours, or that an address sent which they have given
 * up: once it is final for the amount its nonce is over, and what the nonce carried waits for another one. Where
 * they say that it paid the payment, the payment is over instead. False where no operators have said so, or where
 * the transaction pays a receiver for us: then it is not another's. Throws ChainUnreadable.
 */
export async function passForeign(
  deps: ChainDeps,
  cycle: PollCycle,
  use: ForeignUse,
): Promise<boolean> {
  const { signerAccount, nonce, row, hash } = use;
  const { environment, network, address } = signerAccount;
  const key = { environment, network, address, nonce };
  const reference = row?.reference ?? null;
  const { named, said } = await deps.db.system(async (tx) => ({
    named: await findForeign(tx, key, hash),
    said: reference === null ? [] : await readForeignOutcomes(tx, key, hash, reference),
  }));
  if (row !== null && said.includes('PAID') && (await settleForeign(deps, cycle, row, hash))) {
    return true;
  }
  const hasNotPaid = said.includes('NOT_PAID');
  const approvalId = named ?? signerAccount.retiredBy;
  if (approvalId === null && !hasNotPaid) return false;
  const found = await deps.nodes.findTransaction(hash);
  if (found.kind !== 'MINED') return true;
  const { block } = found.transaction;
  // What is sent again is as much at stake as what is believed to be paid.
  if (depthOf({ amount: row?.amount ?? null }, block.number, cycle.heads) !== 'FINAL') return true;
  const word = { isNamed: named !== null || hasNotPaid, hasNotPaid };
  if (await isOurs(deps, use, found.transaction, word)) return false;
  await deps.db.system(async (tx) => {
    const now = deps.clock.now();
    const held = await lockSignerAccount(tx, key);
    if (held === null) return;
    const carried = row === null ? null : await releaseNonce(tx, row, now);
    if (row === null) {
      if (held.nextNonce !== nonce || held.status === 'FROZEN') return;
      await takeNonce(tx, held, now);
      await insertNonce(tx, key, now);
    } else if (carried === null) return;
    if (approvalId !== null && named === null)
      await insertForeign(tx, key, { hash, approvalId }, now);
    await saveNonce(tx, key, { state: 'REJECTED', mined: found.transaction }, now);
    await forgetFence(tx, key, now);
    if (carried !== null) await endCarried(tx, carried, now);
  });
  return true;
}

/** What operators have said of the very transaction, and whether that is that it did not pay the payment. */
interface Word {
  readonly isNamed: boolean;
  readonly hasNotPaid: boolean;
}

/**
 * Tokens that reached the one to be paid are no loss of ours, unless operators say that they did not pay it and the sum
 * is another. A marked transfer that moved some is a payment's: where operators have named the very transaction, only
 * that of one which is not over. What moved nothing pays no one.
 */
async function isOurs(
  deps: ChainDeps,
  { row, hash }: ForeignUse,
  mined: MinedTransaction,
  { isNamed, hasNotPaid }: Word,
): Promise<boolean> {
  const { db, alarm } = deps;
  const moved = mined.transfers.filter(({ amount }) => amount > 0n);
  const reached = row === null ? 0n : movedToWallet(row, mined);
  const hasPaid = reached > 0n && !(hasNotPaid && reached !== row?.amount);
  if (!hasPaid && (moved.length === 0 || !(await isMarked(deps, hash, isNamed)))) return false;
  const reference = row?.reference ?? null;
  const carried = reference === null ? null : await db.system((tx) => lockTransfer(tx, reference));
  if (carried !== null) alarm({ kind: 'PAID_OTHERWISE', paymentId: carried.paymentId });
  return true;
}

/** Whether it carries a mark; of one that is named, the mark of a transfer of that token that is not over. */
async function isMarked(
  { db, nodes, place }: ChainDeps,
  hash: string,
  isNamed: boolean,
): Promise<boolean> {
  const raw = await nodes.findSigned(hash);
  const transaction = raw === null ? undefined : decodeSigned(raw)?.transaction;
  if (transaction === undefined) return false;
  const call = decodeTransferCall(transaction.data);
  if (call === null) return false;
  const { mark } = call;
  return !isNamed || db.system((tx) => isMarkUnderWay(tx, place, transaction.to, mark));
}
