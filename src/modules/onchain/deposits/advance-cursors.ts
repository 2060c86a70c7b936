import {
  beginCursor,
  moveCursor,
  readBothCursors,
  type CursorBlock,
  type CursorRow,
} from '../../../db/onchain/chain-cursor-store.ts';
import { ONE_STATEMENT } from '../../../db/client/database.ts';
import { stopChain } from '../../../db/onchain/chain-stop-store.ts';
import {
  keepSweptTokens,
  readDepositsOfTransactions,
  readBlockedDeposits,
  readUnfinishedDeposits,
  sumTokensAt,
  type UnbookedDeposit,
} from '../../../db/onchain/read-deposit-store.ts';
import {
  countNext,
  findFirstWatch,
  findWatchedAddresses,
  type WatchedAddress,
} from '../../../db/parties/watched-address-store.ts';
import type { BlockHeader } from '../../../domain/onchain/chain-facts.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { ChainUnreadable } from '../../../domain/onchain/chain-nodes.ts';
import { BLOCKS_MAX } from '../../../domain/onchain/transfer-logs.ts';
import { findBlockBefore } from './find-block-before.ts';
import { keepDust, takeRests } from './dust.ts';
import {
  listAll,
  readHeaders,
  transactionsOf,
  whileCanonical,
  type Listed,
  type ProvedTransfer,
} from './find-transfers.ts';
import type { ReaderDeps, ReaderCycle } from './reader-deps.ts';
import {
  findThere,
  isOverFloor,
  ownersOf,
  settleTransactions,
  type OwnerOf,
} from './settle-transaction.ts';

/** Of each cursor in one poll cycle: what is left comes with the next one. */
const TICK_BLOCKS = 5n * BLOCKS_MAX;
const TICK_MS = 10_000;
const TICK_TRANSACTIONS = 2_000;

/** Blocks that are listed at a time: all that they hold is in memory at once. */
const LISTED_BLOCKS = 500n;

/** Transfers that are settled together, and then the blocks that hold them are done. */
const GROUP_TRANSFERS = 100;

/** The two cursors of a chain. */
interface Cursors {
  readonly head: CursorRow;
  readonly final: CursorRow;
}

/** Begins the cursors of a chain that was never read before the first address was given out; answers them. */
export async function openCursors(deps: ReaderDeps, { heads }: ReaderCycle): Promise<Cursors> {
  const { db, place, clock } = deps;
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

/** Both cursors; null where the chain was never read. */
export async function readCursors({ db, place }: ReaderDeps): Promise<Cursors | null> {
  const { head, final } = await db.system((tx) => readBothCursors(tx, place), ONE_STATEMENT);
  return head === null || final === null ? null : { head, final };
}

/** The blocks that are now at the numbers of both cursors; null above the head. */
type LastBlocks = ReadonlyMap<bigint, BlockHeader | null>;

/**
 * Whether the last final block that was read is still of the chain. Where it is not, the network is stopped
 * until operators have looked: no rule of ours holds there. Throws ChainUnreadable where the nodes lag.
 */
export async function isFinalKept(
  deps: ReaderDeps,
  { final }: Cursors,
  last: LastBlocks,
): Promise<boolean> {
  const { db, place, clock, alarm } = deps;
  const block = last.get(final.number) ?? null;
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
export async function stepBack(
  deps: ReaderDeps,
  cursors: Cursors,
  last: LastBlocks,
): Promise<Cursors> {
  const { db, place, clock } = deps;
  const { head, final } = cursors;
  const block = last.get(head.number) ?? null;
  if (block === null) throw new ChainUnreadable('BEHIND');
  if (block.hash === head.hash) return cursors;
  const young = await db.system((tx) => readUnfinishedDeposits(tx, place, final.number));
  const isThere = await findThere(deps, young);
  for (const deposit of young) await isThere(deposit);
  await db.system((tx) =>
    moveCursor(tx, place, 'HEAD', { from: head, to: final, now: clock.now() }),
  );
  return (await readCursors(deps)) ?? cursors;
}

/** How far one poll cycle reads behind a cursor; null where it has read that far. */
function nextEnd(cursor: CursorBlock, newest: CursorBlock): bigint | null {
  if (newest.number <= cursor.number) return null;
  const end = cursor.number + LISTED_BLOCKS;
  return end < newest.number ? end : newest.number;
}

const partUpTo = (cursor: CursorBlock, to: bigint, newest: BlockHeader): PartRange => ({
  from: cursor.number + 1n,
  to,
  known: to === newest.number ? newest : null,
});

/** What a poll cycle reads of each cursor's blocks, at the most: what is left comes with the next one. */
interface ReadBudget {
  isSpent(): boolean;
  spend(transactions: number): void;
}

/** A budget that begins now. */
function createReadBudget({ clock }: Pick<ReaderDeps, 'clock'>): ReadBudget {
  const until = clock.now().getTime() + TICK_MS;
  let left = TICK_TRANSACTIONS;
  return {
    isSpent: () => left <= 0 || clock.now().getTime() >= until,
    spend(transactions) {
      left -= transactions;
    },
  };
}

/** Some blocks. `known`: the last of them, where both providers have shown it in this poll cycle. */
interface PartRange {
  readonly from: bigint;
  readonly to: bigint;
  readonly known: BlockHeader | null;
}

/** What was read of a range: up to which block, all of it or not, and why not where a provider failed. */
interface ReadPart {
  readonly block: BlockHeader;
  readonly failure: ChainUnreadable | null;
}

/**
 * Settles the transactions of a range in the order of its blocks, some blocks at a time, until all is read or the budget is
 * spent. What was settled before a provider failed counts. Throws ChainUnreadable where nothing was settled.
 */
async function readPart(
  deps: ReaderDeps,
  budget: ReadBudget,
  { from, to, known }: PartRange,
  parts: {
    readonly list: () => Promise<readonly Listed[]>;
    readonly settle: (listed: readonly Listed[]) => Promise<void>;
  },
): Promise<ReadPart> {
  const { block, result } = await whileCanonical(deps, known ?? to, async () => {
    const listed = await parts.list();
    let done: bigint | null = null;
    for (const group of inGroups(listed)) {
      deps.signal?.throwIfAborted();
      const last = group.at(-1)?.block.number ?? to;
      try {
        await parts.settle(group);
      } catch (error) {
        if (!(error instanceof ChainUnreadable) || done === null) throw error;
        return { stop: done, failure: error };
      }
      budget.spend(new Set(group.map(({ transactionHash }) => transactionHash)).size);
      if (last >= to) break;
      if (budget.isSpent()) return { stop: last, failure: null };
      done = last;
    }
    return { stop: to, failure: null };
  });
  if (result.stop === to) return { block, failure: null };
  // It stands under a block that did not change meanwhile.
  const stop = (await readHeaders(deps, [result.stop])).get(result.stop) ?? null;
  if (stop === null || result.stop < from) throw new ChainUnreadable('NO_BLOCK');
  return { block: stop, failure: result.failure };
}

/** Whole blocks, as many together as hold some transfers. */
function* inGroups(listed: readonly Listed[]): Generator<readonly Listed[]> {
  let group: Listed[] = [];
  for (const transfer of listed) {
    const isNewBlock = group.at(-1)?.block.number !== transfer.block.number;
    if (isNewBlock && group.length >= GROUP_TRANSFERS) {
      yield group;
      group = [];
    }
    group.push(transfer);
  }
  if (group.length > 0) yield group;
}

/**
 * Reads on to the newest block: what both prove of it is SEEN, what is below its asset's floor once it is final. The cursor
 * moves as far as all is read. Answers whether more is to be read at once. Throws ChainUnreadable.
 */
export async function readHead(
  deps: ReaderDeps,
  { heads }: ReaderCycle,
  { head, final }: Cursors,
  addresses: readonly WatchedAddress[],
): Promise<boolean> {
  const { db, place, clock } = deps;
  const budget = createReadBudget(deps);
  const owner = ownersOf(addresses);
  const isOver = isOverFloor(deps);
  let cursor: CursorRow = head.number < final.number ? { ...final, version: head.version } : head;
  for (let first = cursor.number; ;) {
    const end = nextEnd(cursor, heads.latest);
    if (end === null) return false;
    if (budget.isSpent() || cursor.number >= first + TICK_BLOCKS) return true;
    const blocks = partUpTo(cursor, end, heads.latest);
    const part = await readPart(deps, budget, blocks, {
      list: async () =>
        (await listAll(deps, { addresses, direction: 'TO', from: blocks.from, to: end })).filter(
          isOver,
        ),
      // What cannot be proved yet is found again once it is final.
      settle: async (listed) => {
        await settleTransactions(deps, transactionsOf(listed), owner);
      },
    });
    const move = { from: cursor, to: part.block, now: clock.now() };
    const isMoved = await db.system((tx) => moveCursor(tx, place, 'HEAD', move), ONE_STATEMENT);
    if (part.failure !== null) throw part.failure;
    if (!isMoved) return false;
    cursor = { ...part.block, version: cursor.version + 1 };
  }
}

/**
 * Reads all again that has become final, to and from the addresses, and takes what either provider lists: a node may
 * leave out what it has. The cursor moves on only as far as all is proved, and what is BLOCKED there: that may be kept
 * for good then. Answers the last block read and whether more is to be read at once. Throws ChainUnreadable.
 */
export async function readFinal(
  deps: ReaderDeps,
  { heads }: ReaderCycle,
  { final }: Cursors,
  addresses: readonly WatchedAddress[],
): Promise<{ readonly read: CursorBlock; readonly isMore: boolean }> {
  const { db, place, clock } = deps;
  const budget = createReadBudget(deps);
  const owner = ownersOf(addresses);
  const first = final.number;
  let cursor = final;
  for (;;) {
    const end = nextEnd(cursor, heads.final);
    if (end === null) return { read: cursor, isMore: false };
    if (budget.isSpent() || cursor.number >= first + TICK_BLOCKS) {
      return { read: cursor, isMore: true };
    }
    const blocks = partUpTo(cursor, end, heads.final);
    const since = cursor.at;
    let swept: readonly Listed[] = [];
    const part = await readPart(deps, budget, blocks, {
      list: async () => {
        const [moved, toTreasury] = await Promise.all([
          listProved(deps, addresses, blocks),
          listSwept(deps, blocks),
        ]);
        swept = toTreasury;
        return moved;
      },
      settle: async (listed) => {
        await settleProved(deps, addresses, listed);
        const isOfPayment = (to: string): boolean => (owner(to)?.paymentId ?? null) !== null;
        const paid = new Set(listed.map(({ to }) => to).filter(isOfPayment));
        await takeRests(deps, [...paid], since);
      },
    });
    await proveBlocked(deps, { above: cursor.number, upTo: part.block.number });
    await readLate(deps, addresses, swept, { from: blocks.from, to: part.block });
    const { block } = part;
    const to = { ...block, at: block.at < cursor.at ? cursor.at : block.at };
    const move = { from: cursor, to, now: clock.now() };
    const isMoved = await db.system((tx) => moveCursor(tx, place, 'FINAL', move), ONE_STATEMENT);
    if (part.failure !== null) throw part.failure;
    if (!isMoved) return { read: cursor, isMore: false };
    cursor = { ...to, version: cursor.version + 1 };
  }
}

/**
 * Stores all that came to the addresses and left them in final blocks, but what is set aside. `onRead` hears up to which block,
 * some blocks at a time. Throws ChainUnreadable where a transaction that is listed is not proved: then a provider lies or
 * lags, and nothing is concluded.
 */
export async function readProved(
  deps: ReaderDeps,
  addresses: readonly WatchedAddress[],
  { from, to }: { readonly from: bigint; readonly to: bigint },
  onRead: (block: bigint) => Promise<void> = async () => undefined,
): Promise<void> {
  for (let first = from; first <= to; first += BLOCKS_MAX) {
    deps.signal?.throwIfAborted();
    const last = first + BLOCKS_MAX - 1n < to ? first + BLOCKS_MAX - 1n : to;
    const listed = await listProved(deps, addresses, { from: first, to: last });
    for (const group of inGroups(listed)) {
      deps.signal?.throwIfAborted();
      await settleProved(deps, addresses, group);
    }
    await onRead(last);
  }
}

/**
 * Keeps what left addresses that are watched no more for the treasury: anyone may sweep an address, and then no balance
 * tells of what came to it. Where more left than came, the address is counted next, which finds that: its blocks are not read
 * here, for all other deposits would wait. Throws ChainUnreadable.
 */
async function readLate(
  deps: ReaderDeps,
  watched: readonly WatchedAddress[],
  swept: readonly Listed[],
  { from, to }: { readonly from: bigint; readonly to: BlockHeader },
): Promise<void> {
  const { db, place } = deps;
  const isWatched = ownersOf(watched);
  const senders = new Set(
    swept
      .filter(({ block }) => block.number <= to.number)
      .map((one) => one.from)
      .filter((one) => isWatched(one) === null),
  );
  if (senders.size === 0) return;
  const late = await db.system((tx) => findWatchedAddresses(tx, place.environment, [...senders]));
  if (late.length === 0) return;
  await readProved(deps, late, { from, to: to.number });
  const names = late.map(({ address }) => address);
  await db.system(async (tx) => {
    const sums = await sumTokensAt(tx, place, names, to.number);
    const short = names.filter((name) =>
      [...(sums.get(name)?.values() ?? [])].some((minor) => minor < 0n),
    );
    if (short.length > 0) await countNext(tx, place, short);
  });
}

/** What came to the treasury in some blocks, over the floor of its asset. */
async function listSwept(
  deps: ReaderDeps,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): Promise<readonly Listed[]> {
  const addresses = [{ address: deps.settings.treasury }];
  const listed = await listAll(deps, { addresses, direction: 'TO', from, to });
  return listed.filter(isOverFloor(deps));
}

async function listProved(
  deps: ReaderDeps,
  addresses: readonly WatchedAddress[],
  blocks: { readonly from: bigint; readonly to: bigint },
): Promise<readonly Listed[]> {
  const { from, to } = blocks;
  const [came, left] = await Promise.all([
    listAll(deps, { addresses, direction: 'TO', from, to }),
    listAll(deps, { addresses, direction: 'FROM', from, to }),
  ]);
  // What one of the addresses sends to another is in both lists.
  const distinct = new Map(
    [...came, ...left].map((one) => {
      const { transactionHash, block, logIndex, asset, from, to, amount, isByAll } = one;
      const key = [block.hash, transactionHash, logIndex, asset, from, to, amount, isByAll];
      return [key.join(' '), one];
    }),
  );
  return [...distinct.values()].toSorted((one, other) =>
    Number(one.block.number - other.block.number),
  );
}

/**
 * Proves what is listed of final blocks. What is stored as it is listed was proved when it was stored, and what is below its
 * floor is only counted where both list it.
 */
async function settleProved(
  deps: ReaderDeps,
  addresses: readonly WatchedAddress[],
  listed: readonly Listed[],
): Promise<void> {
  const { db, place } = deps;
  const owner = ownersOf(addresses);
  const isOver = isOverFloor(deps);
  const isDust = (one: Listed): boolean => !isOver(one) && owner(one.to) !== null;
  await keepDust(deps, listed.filter((one) => isDust(one) && one.isByAll).map(countedOf));
  const open = transactionsOf(listed).filter(({ transfers }) =>
    transfers.some((one) => !(isDust(one) && one.isByAll && owner(one.from) === null)),
  );
  if (open.length === 0) return;
  const hashes = open.map(({ txHash }) => txHash);
  const stored = groupBy(
    await db.system((tx) => readDepositsOfTransactions(tx, place, hashes), ONE_STATEMENT),
    ({ txHash }) => txHash,
  );
  const unproved = open.filter(
    ({ txHash, transfers }) =>
      transfers.some(({ from }) => owner(from) !== null) ||
      !transfers.every((one) =>
        isDust(one) ? one.isByAll : isStored(one, stored.get(txHash) ?? []),
      ),
  );
  const settled = await settleTransactions(deps, unproved, owner);
  const left: ProvedTransfer[] = [];
  for (const [index, proved] of settled.entries()) {
    if (proved === null) throw new ChainUnreadable('NOT_PROVED');
    if (proved === 'SET_ASIDE') continue;
    left.push(...proved.filter(({ from }) => owner(from) !== null));
    const alone = unproved[index]?.transfers.filter((one) => isDust(one) && !one.isByAll) ?? [];
    // Not all list it so: the receipts say how many there are.
    const shown = proved.filter((one) => alone.some((other) => isAlike(one, other)));
    await keepDust(deps, shown.map(countedProved));
  }
  await keepSwept(deps, left);
}

const countedOf = ({ transactionHash: txHash, block, ...transfer }: Listed) => {
  return { ...transfer, txHash, blockNumber: block.number };
};

const countedProved = ({ block, ...transfer }: ProvedTransfer) => {
  return { ...transfer, blockNumber: block.number };
};

type Moved = Pick<Listed, 'asset' | 'to' | 'amount'>;

const isAlike = (one: Moved, other: Moved): boolean =>
  one.asset === other.asset && one.to === other.to && one.amount === other.amount;

const isSameTransfer = (
  one: Listed,
  other: Pick<Listed, 'asset' | 'from' | 'to' | 'amount'>,
): boolean => one.from === other.from && isAlike(one, other);

/** Whether a listed transfer is a stored deposit in the same block. Over the floor all that are alike are stored together. */
const isStored = (one: Listed, stored: readonly UnbookedDeposit[]): boolean =>
  stored.some(
    (deposit) =>
      deposit.status !== 'ORPHANED' &&
      deposit.blockHash === one.block.hash &&
      isSameTransfer(one, deposit),
  );

/** Keeps what left watched addresses in final blocks, and counts what came to them below its floor. */
export async function keepWhatMoved(
  deps: ReaderDeps,
  proved: readonly ProvedTransfer[],
  ownerOf: OwnerOf,
): Promise<void> {
  const isOver = isOverFloor(deps);
  const came = proved.filter((one) => !isOver(one) && ownerOf(one.to) !== null);
  await keepDust(deps, came.map(countedProved));
  await keepSwept(
    deps,
    proved.filter(({ from }) => ownerOf(from) !== null),
  );
}

/**
 * Proves the BLOCKED deposits of blocks that become final: the transaction of one may be gone without the head that was
 * read last being found gone. Throws ChainUnreadable where the providers do not show yet what became of it.
 */
async function proveBlocked(
  deps: ReaderDeps,
  { above, upTo }: { readonly above: bigint; readonly upTo: bigint },
): Promise<void> {
  const blocked = await deps.db.system(
    (tx) => readBlockedDeposits(tx, deps.place, { above, upTo }),
    ONE_STATEMENT,
  );
  const isThere = await findThere(deps, blocked);
  for (const deposit of blocked) {
    if ((await isThere(deposit)) === true) continue;
    const block = await deps.nodes.blockAt(deposit.blockNumber);
    // Else it is ORPHANED, or set aside.
    if (block === null || block.hash === deposit.blockHash) throw new ChainUnreadable('NOT_PROVED');
  }
}

async function keepSwept(
  { db, place, clock }: ReaderDeps,
  left: readonly ProvedTransfer[],
): Promise<void> {
  if (left.length === 0) return;
  const now = clock.now();
  await db.system(async (tx) => {
    for (const { from, block, txHash, ordinal, asset, amount } of left) {
      const swept = { txHash, ordinal, asset, amount, address: from, blockNumber: block.number };
      await keepSweptTokens(tx, place, swept, now);
    }
  });
}
