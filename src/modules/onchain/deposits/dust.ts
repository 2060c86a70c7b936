import { ONE_STATEMENT } from '../../../db/client/database.ts';
import {
  endAskedDust,
  keepDustTransfers,
  putOffDust,
  readDueDust,
  readDueRests,
  readLargestDust,
  type DustSum,
  type OpenDust,
} from '../../../db/onchain/dust-store.ts';
import { findWatchedAddress } from '../../../db/parties/watched-address-store.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { ChainUnreadable } from '../../../domain/onchain/chain-nodes.ts';
import type { ProvedTransfer } from './find-transfers.ts';
import type { ReaderDeps } from './reader-deps.ts';
import { ownersOf, settleTransactions } from './settle-transaction.ts';

/** At most so many transfers become deposits in one poll cycle, those of one address only once in so long. */
const TAKEN_MAX = 20;
const TAKEN_EVERY_MS = 3_600_000;

/** What came too late for a payment, or cannot be read, is taken before what is its rest: so often the next largest. */
const REST_TURNS = 5;

/** A transfer of a final block that is below its asset's floor. */
interface CountedTransfer extends Pick<ProvedTransfer, 'txHash' | 'asset' | 'to' | 'amount'> {
  readonly blockNumber: bigint;
}

/** Counts transfers, each once: of those of a transaction that are alike, all are given. */
export async function keepDust(
  { db, place, clock }: Pick<ReaderDeps, 'db' | 'place' | 'clock'>,
  transfers: readonly CountedTransfer[],
): Promise<void> {
  if (transfers.length === 0) return;
  const alike = groupBy(transfers, ({ txHash, asset, to, amount }) =>
    [txHash, asset, to, amount].join(' '),
  );
  const rows = [...alike.values()].flatMap((some) => {
    const [first] = some;
    return first === undefined ? [] : [{ ...first, toAddress: first.to, transfers: some.length }];
  });
  await db.system((tx) => keepDustTransfers(tx, place, rows, clock.now()));
}

/**
 * Makes deposits of what is below the floor where its sum at an address is not: the largest transfers, as many as reach the
 * floor and no more than 20, once an hour for an address. They are proved as any deposit, and each has its own sender. Where
 * 20 do not reach it, they wait for more, but where two operators asked for them. An address whose turn it is waits for the
 * next one whatever comes of it: none keeps the others from theirs.
 */
export async function takeDust(deps: ReaderDeps): Promise<void> {
  const { db, place, clock, settings, signal } = deps;
  const now = clock.now();
  const due = await db.system(
    (tx) => readDueDust(tx, place, settings.assets, now, TAKEN_MAX),
    ONE_STATEMENT,
  );
  let left = TAKEN_MAX;
  for (const sum of due) {
    signal?.throwIfAborted();
    const floor = settings.assets.find(({ asset }) => asset === sum.asset)?.floor ?? sum.amount;
    const taken = await findEnough(deps, sum, sum.isAsked ? null : floor);
    left -= taken.reduce((count, { transfers }) => count + transfers, 0);
    if (left < 0) return;
    const nextAt = new Date(now.getTime() + TAKEN_EVERY_MS);
    await db.system((tx) => putOffDust(tx, place, sum, nextAt));
    try {
      // A receipt that is too large takes seconds, and any sender can make one.
      const isRead = await makeDeposits(deps, sum, taken);
      if (sum.isAsked) await db.system((tx) => endAskedDust(tx, sum));
      if (!isRead) return;
    } catch (error) {
      if (!(error instanceof ChainUnreadable)) throw error;
    }
  }
}

/**
 * Makes deposits of what came to addresses of payments below the floor, where that is the rest that a payment waits for: what
 * came in time counts. `since`: none whose time was over before. Throws ChainUnreadable.
 */
export async function takeRests(
  deps: ReaderDeps,
  addresses: readonly string[],
  since: Date,
): Promise<void> {
  if (addresses.length === 0) return;
  const { db, place } = deps;
  for (let turn = 0; turn < REST_TURNS; turn += 1) {
    const sums = await db.system((tx) => readDueRests(tx, place, addresses, since));
    let isAnyTaken = false;
    for (const sum of sums) {
      const taken = await findEnough(deps, sum, sum.rest);
      await makeDeposits(deps, sum, taken);
      isAnyTaken ||= taken.length > 0;
    }
    if (!isAnyTaken) return;
  }
}

/** The largest transfers that come to so much together, none where 20 do not; null: the 20 largest. */
async function findEnough(
  { db, place }: ReaderDeps,
  sum: Pick<DustSum, 'asset' | 'address'>,
  enough: bigint | null,
): Promise<readonly OpenDust[]> {
  const largest = await db.system((tx) => readLargestDust(tx, place, sum, TAKEN_MAX));
  const taken: OpenDust[] = [];
  let missing = enough ?? 0n;
  let left = TAKEN_MAX;
  for (const one of largest) {
    const most = Math.min(one.transfers, left);
    const needed = (missing + one.amount - 1n) / one.amount;
    const transfers = enough === null || needed > BigInt(most) ? most : Number(needed);
    taken.push({ ...one, transfers });
    missing -= one.amount * BigInt(transfers);
    left -= transfers;
    if (left === 0 || (enough !== null && missing <= 0n)) break;
  }
  return enough === null || missing <= 0n ? taken : [];
}

/** Answers false where a receipt is too large to be read. Throws ChainUnreadable, also where no block shows a transaction now. */
async function makeDeposits(
  deps: ReaderDeps,
  { asset, address }: Pick<DustSum, 'asset' | 'address'>,
  taken: readonly OpenDust[],
): Promise<boolean> {
  const { db, place } = deps;
  const owner = await db.system((tx) => findWatchedAddress(tx, place.environment, address));
  if (owner === null || taken.length === 0) return true;
  const left = new Map(
    taken.map(({ txHash, amount, transfers }) => [`${txHash} ${amount.toString()}`, transfers]),
  );
  /** Of transfers that are alike only so many as were chosen. */
  const isChosen = (one: ProvedTransfer): boolean => {
    const key = `${one.txHash} ${one.amount.toString()}`;
    const more = left.get(key) ?? 0;
    if (more === 0 || one.asset !== asset || one.to !== address) return false;
    left.set(key, more - 1);
    return true;
  };
  const keys = [...groupBy(taken, ({ txHash }) => txHash)].map(([txHash, [first]]) => {
    return { txHash, ordinal: 0, to: address, blockNumber: first?.blockNumber };
  });
  const settled = await settleTransactions(deps, keys, ownersOf([owner]), isChosen);
  if (settled.includes(null)) throw new ChainUnreadable('NOT_PROVED');
  return !settled.includes('SET_ASIDE');
}
