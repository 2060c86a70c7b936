import type { SetAsideKey } from '../../../db/ledger/set-aside-store.ts';
import type { WatchedAddress } from '../../../db/parties/watched-address-store.ts';
import type { BlockHeader } from '../../../domain/onchain/chain-facts.ts';
import {
  ChainUnreadable,
  isTooLarge,
  type ReceiptQuery,
} from '../../../domain/onchain/chain-nodes.ts';
import {
  BLOCKS_MAX,
  type ListedTransfer,
  type TransferQuery,
} from '../../../domain/onchain/transfer-logs.ts';
import type { ReaderDeps } from './reader-deps.ts';

/** A transfer of a listed token as both providers' receipts tell it. */
export interface ProvedTransfer {
  readonly txHash: string;
  readonly ordinal: number;
  readonly asset: string;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly block: BlockHeader;
}

/** What both providers' receipts tell of a transaction; null where no block that both call canonical holds it. */
type Proof = readonly ProvedTransfer[] | null;

/** A question that a provider fails to answer is asked again so often: one failure must not stop hundreds of others. */
const TRIES = 3;

/** The transfers of listed tokens in transactions, in their order; why, where one cannot be read. */
export async function proveTransactions(
  { nodes, settings }: ReaderDeps,
  queries: readonly ReceiptQuery[],
): Promise<(Proof | ChainUnreadable)[]> {
  const found = await askAgain(queries, (some) => nodes.findReceipts(some));
  return found.map((one, place) => {
    if (one === null || one instanceof ChainUnreadable) return one;
    const { block, transfers, isSuccess } = one;
    if (!isSuccess) return [];
    const txHash = queries[place]?.hash ?? '';
    return transfers.flatMap(({ contract, from, to, amount, ordinal }) => {
      const listed = settings.assets.find((asset) => asset.contract === contract);
      // Any sender can emit a transfer of nothing: it is none.
      if (listed === undefined || amount === 0n) return [];
      return [{ txHash, ordinal, asset: listed.asset, from, to, amount, block }];
    });
  });
}

/** The same of one. Throws ChainUnreadable. */
export async function proveTransaction(deps: ReaderDeps, txHash: string): Promise<Proof> {
  const [proof = null] = await proveTransactions(deps, [{ hash: txHash, blockNumber: null }]);
  if (proof instanceof ChainUnreadable) throw proof;
  return proof;
}

/** The blocks of some numbers; null above the head. Throws ChainUnreadable where one cannot be read. */
export async function readHeaders(
  { nodes }: Pick<ReaderDeps, 'nodes'>,
  numbers: readonly bigint[],
): Promise<ReadonlyMap<bigint, BlockHeader | null>> {
  const distinct = [...new Set(numbers)];
  const blocks = await askAgain(distinct, (some) => nodes.blocksAt(some));
  return new Map(
    distinct.map((number, place) => {
      const block = blocks[place] ?? null;
      if (block instanceof ChainUnreadable) throw block;
      return [number, block];
    }),
  );
}

/** Asks many things, and again those that were not answered. What is too large is so every time. */
async function askAgain<Query, Answer>(
  queries: readonly Query[],
  ask: (some: readonly Query[]) => Promise<readonly (Answer | ChainUnreadable)[]>,
): Promise<(Answer | ChainUnreadable)[]> {
  const answers = [...(await ask(queries))];
  for (let tries = 1; tries < TRIES; tries += 1) {
    const open = answers.flatMap((one, place) =>
      one instanceof ChainUnreadable && !isTooLarge(one) ? [place] : [],
    );
    // None was answered: the provider is down.
    if (open.length === 0 || open.length === queries.length) break;
    const again = await ask(open.map((place) => queries[place] as Query));
    for (const [index, place] of open.entries()) answers[place] = again[index] as Answer;
  }
  return answers;
}

/** Which blocks are read for which addresses. */
interface ReadRange {
  readonly addresses: readonly Pick<WatchedAddress, 'address'>[];
  readonly direction: TransferQuery['direction'];
  readonly from: bigint;
  readonly to: bigint;
}

/** A transfer of a listed token as a provider lists it. Nothing is proved by it. */
export interface Listed extends Omit<ListedTransfer, 'contract'> {
  readonly asset: string;
  /** Whether every provider lists it. */
  readonly isByAll: boolean;
}

/** The transfers that either provider lists in a range of blocks, in the chain's order. Throws ChainUnreadable. */
export async function listAll(
  { nodes, settings }: Pick<ReaderDeps, 'nodes' | 'settings'>,
  { addresses, direction, from, to }: ReadRange,
): Promise<readonly Listed[]> {
  const contracts = settings.assets.map(({ contract }) => contract);
  const owners = addresses.map(({ address }) => address);
  const listed: Listed[] = [];
  for (let first = from; first <= to; first += BLOCKS_MAX) {
    const last = first + BLOCKS_MAX - 1n < to ? first + BLOCKS_MAX - 1n : to;
    const query = { contracts, direction, addresses: owners, from: first, to: last };
    const { byAll, bySome } = await nodes.listTransfers(query);
    for (const [transfers, isByAll] of [
      [byAll, true],
      [bySome, false],
    ] as const) {
      for (const { contract, ...transfer } of transfers) {
        const asset = settings.assets.find((one) => one.contract === contract);
        // Any sender can emit a transfer of nothing, of whomever: it is none.
        if (asset === undefined || transfer.amount === 0n) continue;
        listed.push({ ...transfer, asset: asset.asset, isByAll });
      }
    }
  }
  return listed.toSorted((one, other) => Number(one.block.number - other.block.number));
}

/** A transaction that a provider lists, as what is set aside of one that cannot be read. */
interface ListedTransaction extends SetAsideKey {
  /** Of the block that is said to hold it. */
  readonly blockNumber: bigint;
  readonly transfers: readonly Listed[];
}

/** The transactions of transfers, each once, in the order of the first of each. */
export function transactionsOf(listed: readonly Listed[]): readonly ListedTransaction[] {
  const byHash = new Map<string, Listed[]>();
  for (const transfer of listed) {
    const others = byHash.get(transfer.transactionHash);
    if (others === undefined) byHash.set(transfer.transactionHash, [transfer]);
    else others.push(transfer);
  }
  return [...byHash].flatMap(([txHash, transfers]) => {
    const [first] = transfers;
    // The place within the receipt is told by nothing but the receipt.
    return first === undefined
      ? []
      : [{ txHash, ordinal: 0, to: first.to, blockNumber: first.block.number, transfers }];
  });
}

/**
 * The block of a number, before and after what `read` asks. A block that both providers have shown already is not asked
 * for before. Throws ChainUnreadable where it is another one then.
 */
export async function whileCanonical<Result>(
  { nodes }: ReaderDeps,
  of: bigint | BlockHeader,
  read: () => Promise<Result>,
): Promise<{ readonly block: BlockHeader; readonly result: Result }> {
  const block = typeof of === 'bigint' ? await nodes.blockAt(of) : of;
  if (block === null) throw new ChainUnreadable('NO_BLOCK');
  const result = await read();
  const after = await nodes.blockAt(block.number);
  if (after?.hash !== block.hash) throw new ChainUnreadable('REORG');
  return { block, result };
}
