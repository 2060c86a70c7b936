import type { MinedTransfers } from '../../domain/onchain/chain-facts.ts';
import { ChainUnreadable, type ReceiptQuery } from '../../domain/onchain/chain-nodes.ts';
import { isSame, sameOf, type EvmNode, type EvmNodes } from './evm-node.ts';
import { readList, readObject, toQuantity } from './hex.ts';
import { readBlocks } from './read-blocks.ts';
import { readReceipt, type Receipt } from './read-receipt.ts';

/** From so many receipts of one block on, all of the block are asked for at once. */
const BLOCK_RECEIPTS_FROM = 4;

/** What the JSON-RPC specification says of a method that is none (-32601), and of parameters (-32602). */
const NO_METHOD = /_ERROR_-3260[12]$/;

/** Over a bound of a node's own, as `findTransactions` knows it. */
const OVER_OWN_BOUND = /_(?:ERROR_-32003|ERROR_-32008|HTTP_413)$/;

/** Nodes that do not have `eth_getBlockReceipts`. */
const withoutBlockReceipts = new WeakSet<EvmNode>();

type Read = Receipt | null | ChainUnreadable;

/**
 * The token transfers of transactions by the receipts of all nodes, in the order of the queries. Null where a node has no
 * receipt, or the block of its number is another one. In the place of one that cannot be read is why: TOO_LARGE where it is
 * larger than a node gives or than is read.
 */
export async function findReceipts(
  nodes: EvmNodes,
  queries: readonly ReceiptQuery[],
): Promise<(MinedTransfers | null | ChainUnreadable)[]> {
  const read = await Promise.all(nodes.map((node) => receiptsOf(node, queries)));
  const receipts = queries.map((_, place): Read => {
    const ofAll = read.map((one) => one[place] ?? null);
    return ofAll.includes(null) && !ofAll.some((one) => one instanceof ChainUnreadable)
      ? null
      : sameOf(ofAll, isSameReceipt);
  });
  const numbers = receipts.flatMap((one) => (isReceipt(one) ? [one.block.number] : []));
  const blocks = await readBlocks(nodes, numbers);
  let mined = 0;
  return receipts.map((one) => {
    if (!isReceipt(one)) return one;
    const block = blocks[mined] ?? null;
    mined += 1;
    if (block instanceof ChainUnreadable) return block;
    if (block?.hash !== one.block.hash) return new ChainUnreadable('REORG');
    return { block, isSuccess: one.isSuccess, transfers: one.transfers };
  });
}

const isReceipt = (one: Read): one is Receipt => one !== null && !(one instanceof ChainUnreadable);

/** What a transaction cost moves no deposit. */
function isSameReceipt(one: Receipt | null, other: Receipt | null): boolean {
  const plain = (receipt: Receipt | null) => receipt && { ...receipt, fee: 0n, l1Fee: 0n };
  return isSame(plain(one), plain(other));
}

/** What one node has, each receipt alone but where its block holds several that are wanted. */
async function receiptsOf(node: EvmNode, queries: readonly ReceiptQuery[]): Promise<Read[]> {
  const byBlock = await receiptsByBlock(node, queries);
  const alone = queries.filter(({ hash }) => !byBlock.has(hash));
  const calls = alone.map(({ hash }) => {
    return { method: 'eth_getTransactionReceipt', params: [hash] };
  });
  const read = await node.readEach(calls, (result, place) => {
    const receipt = readReceipt(result);
    if (receipt !== null && receipt.hash !== alone[place]?.hash)
      throw new ChainUnreadable('GARBAGE');
    return receipt;
  });
  const byHash = new Map(alone.map(({ hash }, place) => [hash, toTooLarge(read[place] ?? null)]));
  return queries.map(({ hash }) => byBlock.get(hash) ?? byHash.get(hash) ?? null);
}

const toTooLarge = (one: Read): Read =>
  one instanceof ChainUnreadable
    ? new ChainUnreadable(one.why.replace(OVER_OWN_BOUND, '_TOO_LARGE'))
    : one;

/** What is found in whole blocks; what is not, is asked for alone. */
async function receiptsByBlock(
  node: EvmNode,
  queries: readonly ReceiptQuery[],
): Promise<ReadonlyMap<string, Receipt>> {
  const found = new Map<string, Receipt>();
  if (withoutBlockReceipts.has(node)) return found;
  const wanted = new Map<bigint, Set<string>>();
  for (const { hash, blockNumber } of queries) {
    if (blockNumber === null) continue;
    const hashes = wanted.get(blockNumber) ?? new Set();
    wanted.set(blockNumber, hashes.add(hash));
  }
  const several = [...wanted].filter(([, hashes]) => hashes.size >= BLOCK_RECEIPTS_FROM);
  // One block a request: each may be megabytes, and one that is too large takes no other with it.
  for (const [number, hashes] of several) {
    const call = { method: 'eth_getBlockReceipts', params: [toQuantity(number)] };
    const [read] = await node.readEach([call], (result) => {
      const ofBlock = readList(result ?? []).filter((one) =>
        hashes.has(String(readObject(one)['transactionHash'])),
      );
      return ofBlock.map(readReceipt);
    });
    if (read instanceof ChainUnreadable) {
      if (!NO_METHOD.test(read.why)) continue;
      withoutBlockReceipts.add(node);
      return found;
    }
    for (const receipt of read ?? []) {
      if (receipt !== null) found.set(receipt.hash, receipt);
    }
  }
  return found;
}
