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
      .slice(0, CALL_ADDRESSES);
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
  const keep = (some: readonly DueAddress[], rightAt: bigint | null) =>
    db.system((tx) => {
      const names = some.map(({ address }) => address);
      return keepAddressChecks(tx, place, names, { rightAt, now: clock.now() });
    });
  if (right.length > 0) await keep(right, block.number);
  for (const address of addresses) {
    const before = different.get(address.address);
    if (before === undefined) continue;
    if (!isRead.has(address.address)) await readSince(deps, address, block, address.createdAt);
    const isRight = await explain(deps, address, block, before);
    await keep([address], isRight ? block.number : null);
  }
}

/** Answers whether what the books say now, that all blocks of an address are read again, explains what is there. */
async function explain(
  deps: ReaderDeps,
  address: DueAddress,
  block: BlockHeader,
  before: readonly string[],
): Promise<boolean> {
  const after = (await findDifferences(deps, [address], block)).get(address.address) ?? [];
  for (const asset of before) {
    const kind = after.includes(asset) ? 'TOKENS_UNEXPLAINED' : 'DEPOSIT_LEFT_OUT';
    deps.alarm({ kind, address: address.address, asset });
  }
  return after.length === 0;
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
  if (since !== null) await readSince(deps, address, block, since);
  return since !== null;
}

/**
 * Reads the address's blocks again since it was right, or since a time where it never was. One that ended before its end is
 * gone on with.
 */
async function readSince(
  deps: ReaderDeps,
  address: DueAddress,
  block: BlockHeader,
  since: Date,
): Promise<void> {
  const { db, place } = deps;
  const keep = (readAgainTo: bigint | null): Promise<void> =>
    db.system((tx) => keepReadAgain(tx, place, address.address, readAgainTo));
  const begin = address.rightAtBlock ?? (await findBlockBefore(deps, since, block)).number;
  const from =
    address.readAgainTo !== null && address.readAgainTo > begin ? address.readAgainTo : begin;
  if (from < block.number) {
    await readProved(deps, [address], { from: from + 1n, to: block.number }, keep);
  }
  await keep(null);
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
