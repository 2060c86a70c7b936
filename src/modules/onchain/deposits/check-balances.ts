import { findCopyEnd } from '../../../db/operations/restore-mode-store.ts';
import { sumTokensAt } from '../../../db/onchain/read-deposit-store.ts';
import {
  keepAddressCheck,
  readDueAddresses,
  type DueAddress,
} from '../../../db/parties/watched-address-store.ts';
import type { BlockHeader } from '../../../domain/onchain/chain-facts.ts';
import type { CursorBlock } from '../../../db/onchain/chain-cursor-store.ts';
import { readProved } from './advance-cursors.ts';
import { findBlockBefore } from './find-block-before.ts';
import { IDLE_AFTER_MS } from '../../../domain/onchain/deposits/idle-address.ts';
import type { ReaderDeps } from './reader-deps.ts';

const BUSY_EVERY_MS = 10 * 60_000;
const IDLE_EVERY_MS = 24 * 3_600_000;
/** Addresses of one poll cycle; what is left comes with the next one. */
const TICK_ADDRESSES = 50;

/**
 * Holds what is at addresses after the last final block that was read against the books: only that finds what
 * both providers leave out of their lists. Where it differs, all the address's blocks since it was right are
 * read again, and what that does not explain calls a human. Throws ChainUnreadable.
 */
export async function checkBalances(deps: ReaderDeps, final: CursorBlock): Promise<void> {
  const { db, place, clock } = deps;
  const now = clock.now().getTime();
  const before = {
    busy: new Date(now - BUSY_EVERY_MS),
    idle: new Date(now - IDLE_EVERY_MS),
    idleSince: new Date(now - IDLE_AFTER_MS),
  };
  const due = await db.system((tx) => readDueAddresses(tx, place, before, TICK_ADDRESSES));
  if (due.length === 0) return;
  const block = await deps.nodes.blockAt(final.number);
  if (block?.hash !== final.hash) return;
  for (const address of due) {
    const isRight = await isAddressRight(deps, address, block);
    const rightAt = isRight ? block.number : null;
    const checked = { rightAt, now: clock.now() };
    await db.system((tx) => keepAddressCheck(tx, place, address.address, checked));
  }
}

async function isAddressRight(
  deps: ReaderDeps,
  address: DueAddress,
  block: BlockHeader,
): Promise<boolean> {
  if (address.rightAtBlock === null) await readBeforeRestore(deps, address, block);
  const before = await findDifferences(deps, address, block);
  if (before.length === 0) return true;
  await readSince(deps, address, block, address.createdAt);
  const after = await findDifferences(deps, address, block);
  for (const asset of before) {
    const kind = after.includes(asset) ? 'TOKENS_UNEXPLAINED' : 'DEPOSIT_LEFT_OUT';
    deps.alarm({ kind, address: address.address, asset });
  }
  return after.length === 0;
}

/**
 * What came to an address before this life of the database gave it out, and what left it: a lost one may have done so
 * before, whose clients repeat their requests. What was swept since leaves no difference to be found by.
 */
async function readBeforeRestore(
  deps: ReaderDeps,
  address: DueAddress,
  block: BlockHeader,
): Promise<void> {
  const since = await deps.db.system((tx) => findCopyEnd(tx, address.createdAt));
  if (since !== null) await readSince(deps, address, block, since);
}

/** Reads the address's blocks again since it was right, or since a time where it never was. */
async function readSince(
  deps: ReaderDeps,
  address: DueAddress,
  block: BlockHeader,
  since: Date,
): Promise<void> {
  const from = address.rightAtBlock ?? (await findBlockBefore(deps, since, block)).number;
  if (from < block.number) await readProved(deps, [address], { from: from + 1n, to: block.number });
}

/** The assets of which not what the books say is at an address. */
async function findDifferences(
  { db, place, nodes, settings }: ReaderDeps,
  { address }: DueAddress,
  block: BlockHeader,
): Promise<readonly string[]> {
  const booked = await db.system((tx) => sumTokensAt(tx, place, address, block.number));
  const different: string[] = [];
  for (const { asset, contract } of settings.assets) {
    const there = await nodes.tokenBalance(contract, address, block);
    if (there !== (booked.get(asset) ?? 0n)) different.push(asset);
  }
  return different;
}
