import {
  beginCursor,
  moveCursor,
  readFinalCursor,
  readHeadCursor,
  type CursorBlock,
  type CursorRow,
} from '../../../db/onchain/chain-cursor-store.ts';
import { stopChain } from '../../../db/onchain/chain-stop-store.ts';
import { keepSweptTokens, readUnfinishedDeposits } from '../../../db/onchain/read-deposit-store.ts';
import { findFirstWatch, type WatchedAddress } from '../../../db/parties/watched-address-store.ts';
import { ChainUnreadable } from '../../../domain/onchain/chain-nodes.ts';
import { BLOCKS_MAX } from '../../../domain/onchain/transfer-logs.ts';
import { findBlockBefore } from './find-block-before.ts';
import { listTransactions, whileCanonical, type ProvedTransfer } from './find-transfers.ts';
import type { ReaderDeps, ReaderCycle } from './reader-deps.ts';
import { ownersOf, proveEach, settleTransaction, type OwnerOf } from './settle-transaction.ts';

/** Blocks of one poll cycle: what is left comes with the next one. */
export const TICK_BLOCKS = 5n * BLOCKS_MAX;

/** The two cursors of a chain. */
interface Cursors {
  readonly head: CursorRow;
  readonly final: CursorRow;
}

/** The cursors; where the chain was never read, they begin before the first address was given out. */
export async function openCursors(deps: ReaderDeps, { heads }: ReaderCycle): Promise<Cursors> {
  const { db, place, clock } = deps;
  const known = await readCursors(deps);
  if (known !== null) return known;
  const first = await db.system((tx) => findFirstWatch(tx, place.environment));
  const block = first === null ? heads.final : await findBlockBefore(deps, first, heads.final);
  await db.system(async (tx) => {
    await beginCursor(tx, place, 'FINAL', block, clock.now());
    await beginCursor(tx, place, 'HEAD', block, clock.now());
  });
  const begun = await readCursors(deps);
  if (begun === null) throw new Error('the cursors of a chain are not to be found');
  return begun;
}

async function readCursors({ db, place }: ReaderDeps): Promise<Cursors | null> {
  const { head, final } = await db.system(async (tx) => ({
    head: await readHeadCursor(tx, place),
    final: await readFinalCursor(tx, place),
  }));
  return head === null || final === null ? null : { head, final };
}

/**
 * Whether the last final block that was read is still of the chain. Where it is not, the network is stopped
 * until operators have looked: no rule of ours holds there. Throws ChainUnreadable where the nodes lag.
 */
export async function isFinalKept(deps: ReaderDeps, { final }: Cursors): Promise<boolean> {
  const { db, place, clock, nodes, alarm } = deps;
  const block = await nodes.blockAt(final.number);
  if (block === null) throw new ChainUnreadable('BEHIND');
  if (block.hash === final.hash) return true;
  await db.system((tx) => stopChain(tx, place, final, clock.now()));
  alarm({ kind: 'FINAL_BLOCK_GONE', block: final.number.toString() });
  return false;
}

/**
 * Where the newest block that was read is gone: every deposit above the final one is proved again, what is
 * not there is ORPHANED, and the head is read again from the final one on. Answers the cursors as they are
 * then. Throws ChainUnreadable where the nodes lag.
 */
export async function stepBack(deps: ReaderDeps, cursors: Cursors): Promise<Cursors> {
  const { db, place, clock, nodes } = deps;
  const { head, final } = cursors;
  const block = await nodes.blockAt(head.number);
  if (block === null) throw new ChainUnreadable('BEHIND');
  if (block.hash === head.hash) return cursors;
  const young = await db.system((tx) => readUnfinishedDeposits(tx, place, final.number));
  const prove = proveEach();
  for (const deposit of young) await prove(deps, deposit);
  await db.system((tx) =>
    moveCursor(tx, place, 'HEAD', { from: head, to: final, now: clock.now() }),
  );
  return (await readCursors(deps)) ?? cursors;
}

/** The block up to which one poll cycle reads behind a cursor; null where it has read that far. */
function nextEnd(cursor: CursorBlock, newest: CursorBlock): bigint | null {
  if (newest.number <= cursor.number) return null;
  const end = cursor.number + TICK_BLOCKS;
  return end < newest.number ? end : newest.number;
}

/** Reads on to the newest block: what both prove of it is SEEN. Answers whether more is to be read at once. */
export async function readHead(
  deps: ReaderDeps,
  { heads }: ReaderCycle,
  { head, final }: Cursors,
  addresses: readonly WatchedAddress[],
): Promise<boolean> {
  const { db, place, clock } = deps;
  const cursor = head.number < final.number ? final : head;
  const end = nextEnd(cursor, heads.latest);
  if (end === null) return false;
  const owner = ownersOf(addresses);
  const { block } = await whileCanonical(deps, end, async () => {
    const range = { addresses, direction: 'TO', from: cursor.number + 1n, to: end } as const;
    for (const key of await listTransactions(deps, range)) {
      // What cannot be proved yet is found again once it is final.
      await settleTransaction(deps, key, owner);
    }
  });
  await db.system((tx) =>
    moveCursor(tx, place, 'HEAD', { from: head, to: block, now: clock.now() }),
  );
  return end < heads.latest.number;
}

/**
 * Reads all again that has become final, to and from the addresses, and takes what either provider lists: a node may
 * leave out what it has. The cursor moves on only once all of it is proved, and what is BLOCKED there: that may be kept
 * for good then. Answers the last block read and whether more is to be read at once. Throws ChainUnreadable.
 */
export async function readFinal(
  deps: ReaderDeps,
  { heads }: ReaderCycle,
  { final }: Cursors,
  addresses: readonly WatchedAddress[],
): Promise<{ readonly read: CursorBlock; readonly isMore: boolean }> {
  const { db, place, clock } = deps;
  const end = nextEnd(final, heads.final);
  if (end === null) return { read: final, isMore: false };
  const { block } = await whileCanonical(deps, end, async () => {
    await readProved(deps, addresses, { from: final.number + 1n, to: end });
    await proveBlocked(deps, { above: final.number, upTo: end });
  });
  const to = { ...block, at: block.at < final.at ? final.at : block.at };
  const isMoved = await db.system((tx) =>
    moveCursor(tx, place, 'FINAL', { from: final, to, now: clock.now() }),
  );
  return { read: isMoved ? block : final, isMore: end < heads.final.number };
}

/**
 * Stores all that came to the addresses and left them in final blocks, but what is set aside. Throws ChainUnreadable
 * where a transaction that is listed is not proved: then a provider lies or lags, and nothing is concluded.
 */
export async function readProved(
  deps: ReaderDeps,
  addresses: readonly WatchedAddress[],
  blocks: { readonly from: bigint; readonly to: bigint },
): Promise<void> {
  const owner = ownersOf(addresses);
  for (const direction of ['TO', 'FROM'] as const) {
    for (const key of await listTransactions(deps, { addresses, direction, ...blocks })) {
      const proved = await settleTransaction(deps, key, owner);
      if (proved === null) throw new ChainUnreadable('NOT_PROVED');
      if (proved !== 'SET_ASIDE') await keepWhatLeft(deps, proved, owner);
    }
  }
}

/** Keeps what left watched addresses in a final block. */
export async function keepWhatLeft(
  deps: ReaderDeps,
  proved: readonly ProvedTransfer[],
  ownerOf: OwnerOf,
): Promise<void> {
  for (const transfer of proved) {
    if (ownerOf(transfer.from) !== null) await keepSwept(deps, transfer);
  }
}

/**
 * Proves the BLOCKED deposits of blocks that become final: the transaction of one may be gone without the head that was
 * read last being found gone. Throws ChainUnreadable where the providers do not show yet what became of it.
 */
async function proveBlocked(
  deps: ReaderDeps,
  { above, upTo }: { readonly above: bigint; readonly upTo: bigint },
): Promise<void> {
  const young = await deps.db.system((tx) => readUnfinishedDeposits(tx, deps.place, above));
  const prove = proveEach();
  for (const deposit of young) {
    if (deposit.status !== 'BLOCKED' || deposit.blockNumber > upTo) continue;
    const isProved = await prove(deps, deposit);
    if (isProved === true) continue;
    const block = await deps.nodes.blockAt(deposit.blockNumber);
    // It was proved in that block before: what that block holds has not changed.
    if (isProved === 'SET_ASIDE' && block?.hash === deposit.blockHash) continue;
    // Else it is ORPHANED, or set aside.
    if (block === null || block.hash === deposit.blockHash) throw new ChainUnreadable('NOT_PROVED');
  }
}

async function keepSwept(
  { db, place, clock }: ReaderDeps,
  { from, block, txHash, ordinal, asset, amount }: ProvedTransfer,
): Promise<void> {
  const swept = { txHash, ordinal, asset, amount, address: from, blockNumber: block.number };
  await db.system((tx) => keepSweptTokens(tx, place, swept, clock.now()));
}
