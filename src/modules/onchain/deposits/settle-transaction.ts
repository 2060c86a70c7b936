import {
  readDepositsOfTransaction,
  type UnbookedDeposit,
} from '../../../db/onchain/read-deposit-store.ts';
import type { SetAsideKey } from '../../../db/ledger/set-aside-store.ts';
import type { WatchedAddress } from '../../../db/parties/watched-address-store.ts';
import { isForGood } from '../../../domain/onchain/deposits/deposit.ts';
import { orphanDeposit } from '../../../domain/onchain/deposits/funding-book.ts';
import { bookDeposit, seeDeposit } from './book-deposit.ts';
import { proveTransaction, type ProvedTransfer } from './find-transfers.ts';
import { pastRefusal, pastTooLarge } from './past-refusal.ts';
import type { ReaderDeps } from './reader-deps.ts';

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

/**
 * Makes what is stored of a transaction what both providers prove of it: what is not there any more, or
 * in another block, is ORPHANED, then what came to a watched address is SEEN. Nothing is concluded where no canonical
 * block holds the transaction, and where its receipt is too large: then it is set aside as `key`.
 */
export async function settleTransaction(
  deps: ReaderDeps,
  key: SetAsideKey,
  ownerOf: OwnerOf,
): Promise<Settled> {
  const { txHash } = key;
  const proved = await pastTooLarge(deps, key, () => proveTransaction(deps, txHash));
  if (proved === null || proved === 'SET_ASIDE') return proved;
  const stored = await deps.db.system((tx) => readDepositsOfTransaction(tx, deps.place, txHash));
  for (const deposit of stored) {
    if (deposit.status === 'ORPHANED' || isForGood(deposit.status)) continue;
    if (!proved.some((one) => isSameEvent(one, deposit) && isSameBlock(one, deposit))) {
      await orphan(deps, deposit);
    }
  }
  for (const transfer of proved) {
    const watched = ownerOf(transfer.to);
    const known = stored.find((deposit) => isSameEvent(transfer, deposit));
    const isThere =
      known !== undefined && known.status !== 'ORPHANED' && isSameBlock(transfer, known);
    if (isThere || (known !== undefined && isForGood(known.status))) continue;
    const owner = watched ?? (known === undefined ? null : asWatched(known));
    if (owner === null) continue;
    if (transfer.amount > AMOUNT_MAX) {
      deps.alarm({ kind: 'AMOUNT_TOO_LARGE', address: transfer.to, txHash });
      continue;
    }
    await pastRefusal(deps, transfer, () => seeDeposit(deps, owner, transfer));
  }
  return proved;
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

/**
 * Whether a stored deposit is in the block that it was found in, by the receipts of both. Where it is not, what
 * is stored of its transaction is set right. Where no block holds the transaction, or its receipt is too large now, it
 * is ORPHANED once another block stands where its own stood; until then nothing is concluded.
 */
export const proveDeposit: ProveDeposit = (deps, deposit) => proveEach()(deps, deposit);

type ProveDeposit = (deps: ReaderDeps, deposit: UnbookedDeposit) => Promise<boolean | 'SET_ASIDE'>;

/**
 * Proves deposits one after the other as `proveDeposit` does, and a transaction once for all that come together. Each
 * is held against it as it was read before: one that was set right meanwhile stood in another block.
 */
export function proveEach(): ProveDeposit {
  let last: { readonly txHash: string; readonly settled: Settled } | null = null;
  return async (deps, deposit) => {
    const { txHash } = deposit;
    if (last?.txHash !== txHash) {
      last = { txHash, settled: await settleTransaction(deps, deposit, () => null) };
    }
    return isSettledSo(deps, deposit, last.settled);
  };
}

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
