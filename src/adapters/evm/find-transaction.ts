import type { TransactionFinding } from '../../domain/onchain/chain-facts.ts';
import { ChainUnreadable } from '../../domain/onchain/chain-nodes.ts';
import { isSame, type EvmNode, type EvmNodes } from './evm-node.ts';
import { readQuantity } from './hex.ts';
import { BATCH_MAX, type RpcCall } from './json-rpc.ts';
import { readBlocks } from './read-blocks.ts';
import { readSent, type SentTransaction } from './read-block.ts';
import { readReceipt, type Receipt } from './read-receipt.ts';

/** What one node has of a hash. */
interface Known {
  readonly receipt: Receipt | null;
  readonly sent: SentTransaction | null;
}

/**
 * How a node says that an answer is over a bound of its own: geth (-32003), what is built on jsonrpsee (-32008), and a
 * proxy before either.
 */
const OVER_OWN_BOUND = /_(?:ERROR_-32003|ERROR_-32008|HTTP_413)$/;

const HEAD: RpcCall = { method: 'eth_blockNumber', params: [] };

/** Transactions of one request: a receipt and the transaction of each, and the head after them. */
const TOGETHER = Math.floor((BATCH_MAX - 1) / 2);

/** The same as `findTransactions` of one. Throws ChainUnreadable. */
export async function findTransaction(nodes: EvmNodes, hash: string): Promise<TransactionFinding> {
  const [found = new ChainUnreadable('GARBAGE')] = await findTransactions(nodes, [hash]);
  if (found instanceof ChainUnreadable) throw found;
  return found;
}

/**
 * What the nodes know of transactions, in the order of their hashes. MINED takes equal receipts of all and the receipt's
 * block as the canonical one of all. In the place of one that cannot be read is why, among others where receipts differ,
 * with TOO_LARGE where one is larger than a node gives or than is read, and where a node that knows nothing went back
 * behind its own head, as one behind a balancer does.
 */
export async function findTransactions(
  nodes: EvmNodes,
  hashes: readonly string[],
): Promise<(TransactionFinding | ChainUnreadable)[]> {
  const known = await Promise.all(nodes.map((node) => lookForAll(node, hashes)));
  const judged = hashes.map((_, place) => judge(known.map((one) => one[place])));
  const blocks = await readBlocks(
    nodes,
    judged.flatMap((one) => ('receipt' in one ? [one.receipt.block.number] : [])),
  );
  let mined = 0;
  return judged.map((one) => {
    if (!('receipt' in one)) return one;
    const block = blocks[mined] ?? null;
    mined += 1;
    if (block instanceof ChainUnreadable) return block;
    const { receipt, nonce, fee } = one;
    if (block?.hash !== receipt.block.hash) return new ChainUnreadable('REORG');
    const { hash, from, isSuccess, transfers } = receipt;
    return {
      kind: 'MINED',
      transaction: { hash, from, nonce, block, isSuccess, fee, transfers },
    };
  });
}

/** The receipt that all have, whose block is still to be compared. */
interface Agreed {
  readonly receipt: Receipt;
  readonly nonce: bigint;
  readonly fee: bigint;
}

function judge(
  found: readonly (Known | ChainUnreadable | undefined)[],
): Agreed | Exclude<TransactionFinding, { kind: 'MINED' }> | ChainUnreadable {
  const read: Known[] = [];
  for (const one of found) {
    if (one === undefined) return new ChainUnreadable('GARBAGE');
    if (one instanceof ChainUnreadable) return one;
    read.push(one);
  }
  if (read.every(({ receipt, sent }) => receipt === null && sent === null)) {
    return { kind: 'UNKNOWN' };
  }
  const [first] = read;
  if (first === undefined || read.some(({ receipt }) => receipt === null)) return { kind: 'POOL' };
  const { receipt, sent } = first;
  const moved = withoutL1Fee(first);
  if (
    receipt === null ||
    sent === null ||
    !read.every((known) => isSame(withoutL1Fee(known), moved))
  ) {
    return new ChainUnreadable('NODES_DIFFER');
  }
  const l1Fees = read.map((known) => known.receipt?.l1Fee ?? 0n);
  const fee = receipt.fee + l1Fees.reduce((high, one) => (one > high ? one : high));
  return { receipt, nonce: sent.nonce, fee };
}

/** Not every node of an OP chain tells what L1 cost: the fee moves nothing, and the highest one counts. */
const withoutL1Fee = ({ receipt, sent }: Known): Known => ({
  receipt: receipt && { ...receipt, l1Fee: 0n },
  sent,
});

async function lookForAll(
  node: EvmNode,
  hashes: readonly string[],
): Promise<(Known | ChainUnreadable)[]> {
  if (hashes.length === 0) return [];
  const [before] = await node.readEach([HEAD], readQuantity);
  if (before === undefined || before instanceof ChainUnreadable) {
    return hashes.map(() => before ?? new ChainUnreadable('GARBAGE'));
  }
  const parts: Promise<(Known | ChainUnreadable)[]>[] = [];
  for (let at = 0; at < hashes.length; at += TOGETHER) {
    parts.push(lookFor(node, hashes.slice(at, at + TOGETHER), before));
  }
  return (await Promise.all(parts)).flat();
}

async function lookFor(
  node: EvmNode,
  hashes: readonly string[],
  before: bigint,
): Promise<(Known | ChainUnreadable)[]> {
  const calls = hashes.flatMap((hash): RpcCall[] => [
    { method: 'eth_getTransactionReceipt', params: [hash] },
    { method: 'eth_getTransactionByHash', params: [hash] },
  ]);
  const isOfHash = (known: { hash: string } | null, place: number) =>
    known === null || known.hash === hashes[Math.floor(place / 2)];
  const read = await node.readEach([...calls, HEAD], (result, place) => {
    if (place === calls.length) {
      const head = readQuantity(result);
      if (head < before) throw new ChainUnreadable('WENT_BACK');
      return head;
    }
    const known = place % 2 === 0 ? readReceipt(result) : result === null ? null : readSent(result);
    if (!isOfHash(known, place)) throw new ChainUnreadable('GARBAGE');
    return known;
  });
  const after = read[calls.length];
  return hashes.map((_, index) => {
    const [receipt, sent] = [read[2 * index], read[2 * index + 1]];
    for (const one of [receipt, sent, after]) {
      if (one instanceof ChainUnreadable) return tooLarge(one);
    }
    const known = { receipt, sent } as Known;
    const isTorn =
      known.receipt !== null && known.sent !== null && known.receipt.from !== known.sent.from;
    return isTorn ? node.unreadable('GARBAGE') : known;
  });
}

const tooLarge = ({ why }: ChainUnreadable): ChainUnreadable =>
  new ChainUnreadable(why.replace(OVER_OWN_BOUND, '_TOO_LARGE'));
