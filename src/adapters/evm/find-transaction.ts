import type { TransactionFinding } from '../../domain/onchain/chain-facts.ts';
import { ChainUnreadable } from '../../domain/onchain/chain-nodes.ts';
import {
  agree,
  askEach,
  blockCall,
  isSame,
  readBlockAt,
  type EvmNode,
  type EvmNodes,
} from './evm-node.ts';
import { readQuantity } from './hex.ts';
import type { RpcCall } from './json-rpc.ts';
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

/**
 * What the nodes know of a transaction. MINED takes equal receipts of all and the receipt's block as the
 * canonical one of all. Throws ChainUnreadable, among others where receipts differ, with TOO_LARGE where one
 * is larger than a node gives or than is read, and where a node that knows nothing went back behind its own head, as one behind a balancer does.
 */
export async function findTransaction(nodes: EvmNodes, hash: string): Promise<TransactionFinding> {
  const found = await askEach(nodes, (node) => lookFor(node, hash));
  if (found.every(({ receipt, sent }) => receipt === null && sent === null)) {
    return { kind: 'UNKNOWN' };
  }
  const [first] = found;
  if (first === undefined || found.some(({ receipt }) => receipt === null)) return { kind: 'POOL' };
  const { receipt, sent } = first;
  const moved = withoutL1Fee(first);
  if (
    receipt === null ||
    sent === null ||
    !found.every((known) => isSame(withoutL1Fee(known), moved))
  ) {
    throw new ChainUnreadable('NODES_DIFFER');
  }
  const { number } = receipt.block;
  const block = await agree(nodes, (node) =>
    node.read([blockCall(number)], ([result]) => readBlockAt(result, number)),
  );
  if (block?.hash !== receipt.block.hash) throw new ChainUnreadable('REORG');
  const { from, isSuccess, transfers } = receipt;
  const l1Fees = found.map((known) => known.receipt?.l1Fee ?? 0n);
  const fee = receipt.fee + l1Fees.reduce((high, one) => (one > high ? one : high));
  return {
    kind: 'MINED',
    transaction: { hash, from, nonce: sent.nonce, block, isSuccess, fee, transfers },
  };
}

/** Not every node of an OP chain tells what L1 cost: the fee moves nothing, and the highest one counts. */
const withoutL1Fee = ({ receipt, sent }: Known): Known => ({
  receipt: receipt && { ...receipt, l1Fee: 0n },
  sent,
});

async function lookFor(node: EvmNode, hash: string): Promise<Known> {
  const before = await node.read([HEAD], ([head]) => readQuantity(head));
  const calls: RpcCall[] = [
    { method: 'eth_getTransactionReceipt', params: [hash] },
    { method: 'eth_getTransactionByHash', params: [hash] },
    HEAD,
  ];
  const read = node.read(calls, ([receiptResult, sentResult, head]) => {
    const receipt = readReceipt(receiptResult);
    const sent = sentResult === null ? null : readSent(sentResult);
    const isOther = (receipt?.hash ?? hash) !== hash || (sent?.hash ?? hash) !== hash;
    const isTorn = receipt !== null && sent !== null && receipt.from !== sent.from;
    if (isOther || isTorn) throw new ChainUnreadable('GARBAGE');
    if (readQuantity(head) < before) throw new ChainUnreadable('WENT_BACK');
    return { receipt, sent };
  });
  return read.catch((error: unknown) => {
    if (!(error instanceof ChainUnreadable)) throw error;
    throw new ChainUnreadable(error.why.replace(OVER_OWN_BOUND, '_TOO_LARGE'));
  });
}
