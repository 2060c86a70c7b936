import type { SetAsideKey } from '../../../db/ledger/set-aside-store.ts';
import type { WatchedAddress } from '../../../db/parties/watched-address-store.ts';
import type { BlockHeader } from '../../../domain/onchain/chain-facts.ts';
import { ChainUnreadable } from '../../../domain/onchain/chain-nodes.ts';
import {
  ADDRESSES_MAX,
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

/** The transfers of listed tokens in one transaction; null where no block that both call canonical holds it. */
export async function proveTransaction(
  { nodes, settings }: ReaderDeps,
  txHash: string,
): Promise<readonly ProvedTransfer[] | null> {
  const finding = await nodes.findTransaction(txHash);
  if (finding.kind !== 'MINED') return null;
  const { block, transfers, isSuccess } = finding.transaction;
  if (!isSuccess) return [];
  return transfers.flatMap(({ contract, from, to, amount, ordinal }) => {
    const listed = settings.assets.find((one) => one.contract === contract);
    // Any sender can emit a transfer of nothing: it is none.
    if (listed === undefined || amount === 0n) return [];
    return [{ txHash, ordinal, asset: listed.asset, from, to, amount, block }];
  });
}

/** Which blocks are read for which addresses. */
interface ReadRange {
  readonly addresses: readonly Pick<WatchedAddress, 'address'>[];
  readonly direction: TransferQuery['direction'];
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * The transactions that either provider lists in a range of blocks, each once, in the chain's order, as what is set
 * aside of one that cannot be read. Throws ChainUnreadable.
 */
export async function listTransactions(
  { nodes, settings }: ReaderDeps,
  { addresses, direction, from, to }: ReadRange,
): Promise<readonly SetAsideKey[]> {
  const contracts = settings.assets.map(({ contract }) => contract);
  const listed: ListedTransfer[] = [];
  for (let first = from; first <= to; first += BLOCKS_MAX) {
    const last = first + BLOCKS_MAX - 1n < to ? first + BLOCKS_MAX - 1n : to;
    for (let index = 0; index < addresses.length; index += ADDRESSES_MAX) {
      const some = addresses.slice(index, index + ADDRESSES_MAX).map(({ address }) => address);
      const query = { contracts, direction, addresses: some, from: first, to: last };
      const { byAll, bySome } = await nodes.listTransfers(query);
      listed.push(...byAll, ...bySome);
    }
  }
  const inOrder = listed.toSorted((one, other) => Number(one.block.number - other.block.number));
  const keys = new Map<string, SetAsideKey>();
  for (const { transactionHash: txHash, to: receiver } of inOrder) {
    // The place within the receipt is told by nothing but the receipt.
    if (!keys.has(txHash)) keys.set(txHash, { txHash, ordinal: 0, to: receiver });
  }
  return [...keys.values()];
}

/** The block of a number, before and after what `read` asks. Throws ChainUnreadable where it is another one then. */
export async function whileCanonical<Result>(
  { nodes }: ReaderDeps,
  number: bigint,
  read: () => Promise<Result>,
): Promise<{ readonly block: BlockHeader; readonly result: Result }> {
  const block = await nodes.blockAt(number);
  if (block === null) throw new ChainUnreadable('NO_BLOCK');
  const result = await read();
  const after = await nodes.blockAt(number);
  if (after?.hash !== block.hash) throw new ChainUnreadable('REORG');
  return { block, result };
}
