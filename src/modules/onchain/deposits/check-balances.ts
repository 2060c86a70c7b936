import { findCopyEnd, wasRestoredSince } from '../../../db/operations/restore-mode-store.ts';
import { readFinalCursor } from '../../../db/onchain/chain-cursor-store.ts';
import { findChainStop } from '../../../db/onchain/chain-stop-store.ts';
import { sumTokensAt } from '../../../db/onchain/read-deposit-store.ts';
import {
  keepAddressChecks,
  keepReadAgain,
  listUncounted,
  readAddressChecks,
  readBusyAddresses,
  readDueAddresses,
  type DueAddress,
} from '../../../db/parties/watched-address-store.ts';
import { groupBy } from '../../../domain/group-by.ts';
import type { BlockHeader } from '../../../domain/onchain/chain-facts.ts';
import { ChainUnreadable } from '../../../domain/onchain/chain-nodes.ts';
import { IDLE_AFTER_MS } from '../../../domain/onchain/deposits/idle-address.ts';
import { readProved } from './advance-cursors.ts';
import { findBlockBefore } from './find-block-before.ts';
import type { ReaderDeps } from './reader-deps.ts';

const BUSY_EVERY_MS = 10 * 60_000;
const IDLE_EVERY_MS = 24 * 3_600_000;
/** Addresses that are counted together. */
const TOGETHER = 250;
/** Addresses of one call; what is left comes with the next one. */
const CALL_ADDRESSES = 5_000;
/** Of them, so many may be addresses that nothing is expected at, however many are watched. */
const IDLE_SHARE = 1_000;
/** Addresses that are listed at a time, of those that were never counted. */
const LISTED_TOGETHER = 10_000;

/**
 * Holds what is at addresses after the last final block that was read against the books: only that finds what
 * both providers leave out of their lists, and what came to an address that is not watched any more. Where it differs, all
 * the address's blocks since it was right are read again, and what that does not explain calls a human. Answers whether
 * every address that was ever given out is listed to be counted; `isListed`: it was so before. Throws ChainUnreadable.
 */
export async function checkBalances(deps: ReaderDeps, isListed: boolean): Promise<boolean> {
  const { db, place, nodes } = deps;
  const isAllListed =
    isListed ||
    (await db.system((tx) => listUncounted(tx, place, LISTED_TOGETHER))) < LISTED_TOGETHER;
  const final = await db.system(async (tx) =>
    (await findChainStop(tx, place)) === null ? readFinalCursor(tx, place) : null,
  );
  if (final === null) return isAllListed;
  const due = await readDue(deps);
  if (due.length === 0) return isAllListed;
  const block = await nodes.blockAt(final.number);
  if (block?.hash !== final.hash) return isAllListed;
  for (let at = 0; at < due.length; at += TOGETHER) {
    deps.signal?.throwIfAborted();
    await checkTogether(deps, due.slice(at, at + TOGETHER), block);
  }
  return isAllListed;
}

/** Those that are watched come first. */
async function readDue({ db, place, clock }: ReaderDeps): Promise<readonly DueAddress[]> {
  const now = clock.now().getTime();
  const since = new Date(now - IDLE_AFTER_MS);
  const busyBefore = now - BUSY_EVERY_MS;
  const idleBefore = new Date(now - IDLE_EVERY_MS);
  return db.system(async (tx) => {
    const watched = await readBusyAddresses(tx, place.environment, since);
    const names = watched.map(({ address }) => address);
    const checks = await readAddressChecks(tx, place, names);
    const byAddress = new Map(checks.map((one) => [one.address, one]));
    const due = watched
      .map((one) => {
        const check = byAddress.get(one.address);
        const checkedAt = (check?.checkedAt ?? one.createdAt).getTime();
        const { rightAtBlock = null, readAgainTo = null } = check ?? {};
        return { ...one, rightAtBlock, readAgainTo, checkedAt };
      })
      .filter(({ checkedAt }) => checkedAt < busyBefore)
      .sort((one, other) => one.checkedAt - other.checkedAt)
      .slice(0, CALL_ADDRESSES - IDLE_SHARE);
    const idle = await readDueAddresses(tx, place, idleBefore, CALL_ADDRESSES - due.length);
    const known = new Set(names);
    return [...due, ...idle.filter(({ address }) => !known.has(address))];
  });
}

async function checkTogether(
  deps: ReaderDeps,
  addresses: readonly DueAddress[],
  block: BlockHeader,
): Promise<void> {
  const { db, place, clock } = deps;
  const neverRight = addresses.filter(({ rightAtBlock }) => rightAtBlock === null);
  const isRead = new Set<string>();
  if (neverRight.length > 0 && (await db.system((tx) => wasRestoredSince(tx, new Date(0))))) {
    for (const address of neverRight) {
      if (await readBeforeRestore(deps, address, block)) isRead.add(address.address);
    }
  }
  const different = await findDifferences(deps, addresses, block);
  const right = addresses.filter(({ address }) => !different.has(address));
  const keep = async (some: readonly DueAddress[], rightAt: bigint | null): Promise<void> => {
    if (some.length === 0) return;
    const names = some.map(({ address }) => address);
    await db.system((tx) => keepAddressChecks(tx, place, names, { rightAt, now: clock.now() }));
  };
  await keep(right, block.number);
  const wrong = addresses.filter(({ address }) => different.has(address));
  for (const some of byLength(wrong, block)) {
    const unread = some.filter(({ address }) => !isRead.has(address));
    await readSince(deps, unread, block, ({ createdAt }) => createdAt);
    const unexplained = await explain(deps, some, block, different);
    const isRight = ({ address }: DueAddress): boolean => !unexplained.has(address);
    await keep(some.filter(isRight), block.number);
    await keep(
      some.filter((one) => !isRight(one)),
      null,
    );
  }
}

/**
 * Addresses that are read again together: those with about as many blocks to read, the fewest first, so that nobody waits for
 * the months of an address that stays unexplained. Those that never were right come last.
 */
function byLength(
  addresses: readonly DueAddress[],
  block: BlockHeader,
): readonly (readonly DueAddress[])[] {
  const lengthOf = (address: DueAddress): number =>
    address.rightAtBlock === null
      ? Infinity
      : (block.number - beginOf(address, address.rightAtBlock)).toString(2).length;
  return [...groupBy(addresses, lengthOf)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, some]) => some);
}

/** Up to which block an address need not be read: `right`, or where an attempt ended. */
const beginOf = ({ readAgainTo }: DueAddress, right: bigint): bigint =>
  readAgainTo !== null && readAgainTo > right ? readAgainTo : right;

/** Answers of which addresses the books do not explain what is there, now that all their blocks are read again. */
async function explain(
  deps: ReaderDeps,
  addresses: readonly DueAddress[],
  block: BlockHeader,
  before: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlySet<string>> {
  const after = await findDifferences(deps, addresses, block);
  for (const { address } of addresses) {
    for (const asset of before.get(address) ?? []) {
      const isStill = after.get(address)?.includes(asset) === true;
      deps.alarm({ kind: isStill ? 'TOKENS_UNEXPLAINED' : 'DEPOSIT_LEFT_OUT', address, asset });
    }
  }
  return new Set(after.keys());
}

/**
 * What came to an address before this life of the database gave it out, and what left it: a lost one may have done so
 * before, whose clients repeat their requests. What was swept since leaves no difference to be found by. Answers whether there
 * was anything to read.
 */
async function readBeforeRestore(
  deps: ReaderDeps,
  address: DueAddress,
  block: BlockHeader,
): Promise<boolean> {
  const since = await deps.db.system((tx) => findCopyEnd(tx, address.createdAt));
  if (since !== null) await readSince(deps, [address], block, () => since);
  return since !== null;
}

/**
 * Reads addresses' blocks again, all together, since their books were right, or since a time where they never were. Where an
 * attempt ended before its end, the next one goes on there.
 */
async function readSince(
  deps: ReaderDeps,
  addresses: readonly DueAddress[],
  block: BlockHeader,
  sinceOf: (address: DueAddress) => Date,
): Promise<void> {
  if (addresses.length === 0) return;
  const { db, place } = deps;
  const names = addresses.map(({ address }) => address);
  const since = addresses
    .filter(({ rightAtBlock }) => rightAtBlock === null)
    .map((address) => sinceOf(address).getTime());
  const created =
    since.length === 0
      ? block.number
      : (await findBlockBefore(deps, new Date(Math.min(...since)), block)).number;
  const from = addresses
    .map((address) => beginOf(address, address.rightAtBlock ?? created))
    .reduce((least, one) => (one < least ? one : least));
  if (from < block.number) {
    await readProved(deps, addresses, { from: from + 1n, to: block.number }, (readTo) =>
      db.system((tx) => keepReadAgain(tx, place, names, readTo)),
    );
  }
  await db.system((tx) => keepReadAgain(tx, place, names, null));
}

/** The addresses where not what the books say is, and the assets of which it is not. */
async function findDifferences(
  { db, place, nodes, settings }: ReaderDeps,
  addresses: readonly DueAddress[],
  block: BlockHeader,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = addresses.map(({ address }) => address);
  const booked = await db.system((tx) => sumTokensAt(tx, place, names, block.number));
  const queries = names.flatMap((owner) =>
    settings.assets.map(({ asset, contract }) => ({ owner, asset, contract })),
  );
  const there = await nodes.tokenBalances(queries, block);
  const different = new Map<string, string[]>();
  for (const [index, { owner, asset }] of queries.entries()) {
    const minor = there[index];
    if (minor === undefined || minor instanceof ChainUnreadable) {
      throw minor ?? new ChainUnreadable('NO_ANSWER');
    }
    if (minor === (booked.get(owner)?.get(asset) ?? 0n)) continue;
    different.set(owner, [...(different.get(owner) ?? []), asset]);
  }
  return different;
}
