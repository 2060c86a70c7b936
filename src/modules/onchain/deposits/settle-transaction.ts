import {
  readDepositsOfTransactions,
  type UnbookedDeposit,
} from '../../../db/onchain/read-deposit-store.ts';
import { ONE_STATEMENT } from '../../../db/client/database.ts';
import { readLeftTooLarge, type SetAsideKey } from '../../../db/ledger/set-aside-store.ts';
import type { WatchedAddress } from '../../../db/parties/watched-address-store.ts';
import { ChainUnreadable, isTooLarge } from '../../../domain/onchain/chain-nodes.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { isForGood } from '../../../domain/onchain/deposits/deposit.ts';
import { orphanDeposit } from '../../../domain/onchain/deposits/funding-book.ts';
import { bookDeposit } from './book-deposit.ts';
import { proveTransactions, readHeaders, type ProvedTransfer } from './find-transfers.ts';
import { pastRefusal, setAsideTooLarge } from './past-refusal.ts';
import type { ReaderDeps } from './reader-deps.ts';
import { seeDeposits } from './see-deposits.ts';

/** What the database can hold. */
const AMOUNT_MAX = 2n ** 63n - 1n;

/** The transfers that both providers prove; null where no canonical block holds the transaction. */
type Settled = readonly ProvedTransfer[] | 'SET_ASIDE' | null;

/** Whose address it is; null where it is not watched. */
export type OwnerOf = (address: string) => WatchedAddress | null;

/** Addresses by their text. */
export function ownersOf(addresses: readonly WatchedAddress[]): OwnerOf {
  const byAddress = new Map(addresses.map((one) => [one.address, one]));
  return (address) => byAddress.get(address) ?? null;
}

/** Transactions whose receipts are asked for together. */
const TOGETHER = 100;

/** What of the transfers to watched addresses is stored. */
type IsStored = (transfer: ProvedTransfer) => boolean;

/** A transaction that is to be settled, and the block that is said to hold it. */
interface ToSettle extends SetAsideKey {
  readonly blockNumber?: bigint;
}

/** The same as `settleTransactions` of one. Throws ChainUnreadable. */
export async function settleTransaction(
  deps: ReaderDeps,
  key: ToSettle,
  ownerOf: OwnerOf,
  isStored?: IsStored,
): Promise<Settled> {
  const [settled = null] = await settleTransactions(deps, [key], ownerOf, isStored);
  return settled;
}

/**
 * Makes what is stored of transactions what both providers prove of them, in their order: what is not there any more, or
 * in another block, is ORPHANED, then what came to a watched address is SEEN, but what is below its asset's floor.
 * Nothing is concluded where no canonical block holds a transaction, and where its receipt is too large: then it is set
 * aside as its key. Throws ChainUnreadable where one cannot be read, once the others are settled.
 */
export async function settleTransactions(
  deps: ReaderDeps,
  keys: readonly ToSettle[],
  ownerOf: OwnerOf,
  isStored: IsStored = isOverFloor(deps),
): Promise<Settled[]> {
  const settled: Settled[] = [];
  for (let at = 0; at < keys.length; at += TOGETHER) {
    const some = keys.slice(at, at + TOGETHER);
    const proofs = await proveKeys(deps, some);
    const proved = proofs.flatMap((one) => (isProved(one) ? one : []));
    const hashes = some.map(({ txHash }) => txHash);
    const stored = await deps.db.system(
      (tx) => readDepositsOfTransactions(tx, deps.place, hashes),
      ONE_STATEMENT,
    );
    const byHash = groupBy(stored, ({ txHash }) => txHash);
    for (const [place, { txHash }] of some.entries()) {
      const proof = proofs[place] ?? null;
      if (!isProved(proof)) continue;
      for (const deposit of byHash.get(txHash) ?? []) {
        if (deposit.status === 'ORPHANED' || isForGood(deposit.status)) continue;
        if (!proof.some((one) => isSameEvent(one, deposit) && isSameBlock(one, deposit))) {
          await orphan(deps, deposit);
        }
      }
    }
    const toSee = proved.flatMap((transfer) => {
      const ofTransaction = byHash.get(transfer.txHash) ?? [];
      const known = ofTransaction.find((deposit) => isSameEvent(transfer, deposit)) ?? null;
      const owner = ownerToSee(deps, transfer, known, { ownerOf, isStored });
      return owner === null ? [] : [{ owner, transfer, id: known?.id ?? null }];
    });
    await seeDeposits(deps, toSee);
    for (const proof of proofs) {
      if (proof instanceof ChainUnreadable) throw proof;
      settled.push(proof);
    }
  }
  return settled;
}

const isProved = (one: Settled | ChainUnreadable): one is readonly ProvedTransfer[] =>
  one !== null && one !== 'SET_ASIDE' && !(one instanceof ChainUnreadable);

/** Whose deposit a transfer is that is to be SEEN now; null where it is none, or is SEEN. */
function ownerToSee(
  deps: ReaderDeps,
  transfer: ProvedTransfer,
  known: UnbookedDeposit | null,
  { ownerOf, isStored }: { readonly ownerOf: OwnerOf; readonly isStored: IsStored },
): WatchedAddress | null {
  if (known === null && !isStored(transfer)) return null;
  const isStill = known !== null && known.status !== 'ORPHANED' && isSameBlock(transfer, known);
  if (isStill || (known !== null && isForGood(known.status))) return null;
  const owner = ownerOf(transfer.to) ?? (known === null ? null : asWatched(known));
  if (owner === null || transfer.amount <= AMOUNT_MAX) return owner;
  deps.alarm({ kind: 'AMOUNT_TOO_LARGE', address: transfer.to, txHash: transfer.txHash });
  return null;
}

/** Whether a transfer is at least its asset's floor. */
export const isOverFloor =
  ({ settings }: Pick<ReaderDeps, 'settings'>) =>
  ({ asset, amount }: { readonly asset: string; readonly amount: bigint }): boolean =>
    amount >= (settings.assets.find((one) => one.asset === asset)?.floor ?? 0n);

/** The proofs of transactions but those that are set aside, as what is too large is now. */
async function proveKeys(
  deps: ReaderDeps,
  keys: readonly ToSettle[],
): Promise<(Settled | ChainUnreadable)[]> {
  const { db, place, clock } = deps;
  const hashes = keys.map(({ txHash }) => txHash);
  const left = await db.system(
    (tx) => readLeftTooLarge(tx, place, hashes, clock.now()),
    ONE_STATEMENT,
  );
  const open = keys.filter(({ txHash }) => !left.has(txHash));
  const proofs = await proveTransactions(
    deps,
    open.map(({ txHash, blockNumber = null }) => ({ hash: txHash, blockNumber })),
  );
  const byHash = new Map(open.map(({ txHash }, index) => [txHash, proofs[index] ?? null]));
  const found: (Settled | ChainUnreadable)[] = [];
  for (const key of keys) {
    const proof = left.has(key.txHash) ? 'SET_ASIDE' : (byHash.get(key.txHash) ?? null);
    const isLarge = isTooLarge(proof);
    if (isLarge) await setAsideTooLarge(deps, key);
    found.push(isLarge ? 'SET_ASIDE' : proof);
  }
  return found;
}

/** The same event: one place of one transaction, and the same in it. */
export const isSameEvent = (transfer: ProvedTransfer, deposit: UnbookedDeposit): boolean =>
  transfer.ordinal === deposit.ordinal &&
  transfer.asset === deposit.asset &&
  transfer.from === deposit.from &&
  transfer.to === deposit.to &&
  transfer.amount === deposit.amount;

/** The same block as when it was looked at last. */
export const isSameBlock = ({ block }: ProvedTransfer, { blockHash }: UnbookedDeposit): boolean =>
  block.hash === blockHash;

/** An address that nothing was expected at any more, whose deposit is mined again. */
const asWatched = ({ to, ...deposit }: UnbookedDeposit): WatchedAddress => ({
  ...deposit,
  address: to,
  createdAt: new Date(0),
});

/** Takes a deposit back whose block is gone. */
async function orphan(deps: ReaderDeps, deposit: UnbookedDeposit): Promise<void> {
  const isTaken = await pastRefusal(deps, deposit, () => bookDeposit(deps, deposit, orphanDeposit));
  if (isTaken === true && deposit.status !== 'SEEN') {
    deps.alarm({ kind: 'DEPOSIT_ORPHANED', depositId: deposit.id });
  }
}

/** Whether deposits are still in the blocks that they were found in. */
type IsThere = (deposit: UnbookedDeposit) => Promise<boolean | 'SET_ASIDE'>;

/**
 * Answers of each of the given deposits whether it is in the block that it was found in. The receipts of both proved it
 * when it was SEEN, and the block's hash commits to them, so that both have that block is all that is asked. Where one
 * is another, what is stored of its transaction is set right; where no block holds the transaction, or its receipt is too
 * large, the deposit is ORPHANED. Where a node has no block of that number, nothing is concluded. Throws ChainUnreadable.
 */
export async function findThere(
  deps: ReaderDeps,
  deposits: readonly UnbookedDeposit[],
): Promise<IsThere> {
  const blocks = await readHeaders(
    deps,
    deposits.map(({ blockNumber }) => blockNumber),
  );
  let last: { readonly txHash: string; readonly settled: Settled } | null = null;
  return async (deposit) => {
    const block = blocks.get(deposit.blockNumber) ?? null;
    if (block === null) return false;
    if (block.hash === deposit.blockHash) return true;
    const { txHash } = deposit;
    // A transaction is settled once for all that come together. Each is held against it as it was read before.
    if (last?.txHash !== txHash) {
      const { ordinal, to } = deposit;
      last = {
        txHash,
        settled: await settleTransaction(deps, { txHash, ordinal, to }, () => null),
      };
    }
    return isSettledSo(deps, deposit, last.settled);
  };
}

/** The same of one. */
export const isThere = async (
  deps: ReaderDeps,
  deposit: UnbookedDeposit,
): Promise<boolean | 'SET_ASIDE'> => (await findThere(deps, [deposit]))(deposit);

async function isSettledSo(
  deps: ReaderDeps,
  deposit: UnbookedDeposit,
  settled: Settled,
): Promise<boolean | 'SET_ASIDE'> {
  if (settled !== null && settled !== 'SET_ASIDE') {
    return settled.some((one) => isSameEvent(one, deposit) && isSameBlock(one, deposit));
  }
  const block = await deps.nodes.blockAt(deposit.blockNumber);
  if (block !== null && block.hash !== deposit.blockHash) await orphan(deps, deposit);
  return settled ?? false;
}
