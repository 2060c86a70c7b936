import {
  keepDustTransfers,
  readDueDust,
  readLargestDust,
  takeDustTransfers,
  type DustSum,
  type DustTransaction,
} from '../../../db/onchain/dust-store.ts';
import { readDepositsOfTransactions } from '../../../db/onchain/read-deposit-store.ts';
import { findWatchedAddress } from '../../../db/parties/watched-address-store.ts';
import type { Listed } from './find-transfers.ts';
import type { ReaderDeps } from './reader-deps.ts';
import { ownersOf, settleTransactions } from './settle-transaction.ts';

/** At most so many transfers of an address become deposits, and only once in so long. */
const TAKEN_MAX = 20;
const TAKEN_EVERY_MS = 3_600_000;

/** Addresses of one poll cycle and asset; what is left comes with the next one. */
const TICK_SUMS = 20;

/** Counts transfers of final blocks that are below their floor. */
export async function keepDust(
  { db, place, clock }: Pick<ReaderDeps, 'db' | 'place' | 'clock'>,
  listed: readonly Listed[],
): Promise<void> {
  if (listed.length === 0) return;
  const transfers = listed.map(({ transactionHash, to, block, logIndex, asset, amount }) => {
    return {
      txHash: transactionHash,
      logIndex,
      asset,
      toAddress: to,
      amount,
      blockNumber: block.number,
    };
  });
  await db.system((tx) => keepDustTransfers(tx, place, transfers, clock.now()));
}

/**
 * Makes deposits of what is below the floor where its sum at an address is not: the largest transfers, as many as reach the
 * floor and no more than 20, once an hour for an address. They are proved as any deposit, and each has its own sender. Where
 * 20 do not reach it, they wait for more. Throws ChainUnreadable.
 */
export async function takeDust(deps: ReaderDeps): Promise<void> {
  const { db, place, clock, settings } = deps;
  for (const { asset, floor } of settings.assets) {
    const due = { asset, floor, now: clock.now() };
    for (const sum of await db.system((tx) => readDueDust(tx, place, due, TICK_SUMS))) {
      deps.signal?.throwIfAborted();
      await takeFrom(deps, sum, floor);
    }
  }
}

async function takeFrom(deps: ReaderDeps, sum: DustSum, floor: bigint): Promise<void> {
  const { db, place, clock } = deps;
  const most = { limit: TAKEN_MAX, transfersMax: TAKEN_MAX };
  const largest = await db.system((tx) => readLargestDust(tx, place, sum, most));
  const taken = asMuchAs(largest, floor);
  const owner = await db.system((tx) => findWatchedAddress(tx, place.environment, sum.address));
  if (taken.length > 0 && owner !== null) {
    const keys = taken.map(({ txHash, blockNumber }) => {
      return { txHash, ordinal: 0, to: sum.address, blockNumber };
    });
    await settleTransactions(deps, keys, ownersOf([owner]), ({ asset }) => asset === sum.asset);
  }
  const now = clock.now();
  const nextAt = new Date(now.getTime() + TAKEN_EVERY_MS);
  await db.system(async (tx) => {
    const stored = await readDepositsOfTransactions(
      tx,
      place,
      taken.map(({ txHash }) => txHash),
    );
    // One that was set aside is none yet.
    const txHashes = stored.filter(({ to }) => to === sum.address).map(({ txHash }) => txHash);
    await takeDustTransfers(tx, place, sum, { txHashes, now, nextAt });
  });
}

/** The first that reach the floor together; none where they do not. */
function asMuchAs(largest: readonly DustTransaction[], floor: bigint): readonly DustTransaction[] {
  let amount = 0n;
  let transfers = 0;
  const taken: DustTransaction[] = [];
  for (const one of largest) {
    if (transfers + one.transfers > TAKEN_MAX) continue;
    taken.push(one);
    amount += one.amount;
    transfers += one.transfers;
    if (amount >= floor) return taken;
  }
  return [];
}
