import type { BlockRef } from '../../domain/onchain/chain-facts.ts';
import { ChainUnreadable } from '../../domain/onchain/chain-nodes.ts';
import { agree, type EvmNode, type EvmNodes } from './evm-node.ts';
import { readAddress, readQuantity, toQuantity } from './hex.ts';
import { readBlock, readSentIn } from './read-block.ts';
import { readNonceAt } from './read-state.ts';

/**
 * The hash of the mined transaction of that address and nonce up to the block; null where it is not used
 * yet. One node looks for the block, in some 2 × log2(blocks since) calls; what counts is that the blocks
 * of all hold the same transaction. Throws ChainUnreadable.
 */
export async function findByNonce(
  nodes: EvmNodes,
  address: string,
  nonce: bigint,
  upTo: BlockRef,
): Promise<string | null> {
  const used = await agree(nodes, (node) => readNonceAt(node, address, upTo));
  if (used <= nonce) return null;
  for (const searcher of nodes) {
    const number = await findBlockOf(searcher, { address, nonce, upTo: upTo.number });
    const found = await agree(nodes, (node) => readSentBy(node, { address, nonce, number }));
    if (found !== null) return found;
  }
  throw new ChainUnreadable('NOT_FOUND');
}

/**
 * The first block after which the address has used the nonce, by a count that only grows: steps back that
 * double, as what is looked for is mostly young and old states are the ones that nodes have dropped,
 * then halves of what lies between.
 */
async function findBlockOf(
  node: EvmNode,
  { address, nonce, upTo }: { address: string; nonce: bigint; upTo: bigint },
): Promise<bigint> {
  const isUsedAt = async (number: bigint): Promise<boolean> => {
    const params = [address, toQuantity(number)];
    const calls = [{ method: 'eth_getTransactionCount', params }];
    return (await node.read(calls, ([count]) => readQuantity(count))) > nonce;
  };
  // Used after `high`, not yet after `low`; -1 stands for before the first block.
  let high = upTo;
  let low = -1n;
  for (let step = 1n; high > 0n; step *= 2n) {
    const number = high > step ? high - step : 0n;
    if (!(await isUsedAt(number))) {
      low = number;
      break;
    }
    high = number;
  }
  while (high - low > 1n) {
    const middle = (high + low) / 2n;
    if (await isUsedAt(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function readSentBy(
  node: EvmNode,
  { address, nonce, number }: { address: string; nonce: bigint; number: bigint },
): Promise<string | null> {
  const calls = [{ method: 'eth_getBlockByNumber', params: [toQuantity(number), true] }];
  return node.read(calls, ([result]) => {
    if (readBlock(result)?.number !== number) throw new ChainUnreadable('NO_BLOCK');
    const from = readAddress(address);
    const sent = readSentIn(result).find((one) => one.from === from && one.nonce === nonce);
    return sent?.hash ?? null;
  });
}
