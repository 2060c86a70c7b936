import type { GasFees } from '../../domain/onchain/chain-facts.ts';
import { ChainUnreadable } from '../../domain/onchain/chain-nodes.ts';
import { askEach, type EvmNode, type EvmNodes } from './evm-node.ts';
import { readList, readObject, readQuantity } from './hex.ts';

/**
 * The lower of what the nodes suggest, so that one that lies neither makes transactions dear nor shows a congestion
 * that is none; for what is STUCK the higher. The base fee rises by an eighth a block at most (EIP-1559), so twice the
 * next block's is enough for five full blocks in a row. Nothing here is a cap. Throws ChainUnreadable.
 */
export async function suggestFees(nodes: EvmNodes, of: 'NEW' | 'STUCK'): Promise<GasFees> {
  const suggested = await askEach(nodes, readFees);
  const choose = of === 'NEW' ? lower : higher;
  return suggested.reduce((one, other) => ({
    maxFeePerGas: choose(one.maxFeePerGas, other.maxFeePerGas),
    maxPriorityFeePerGas: choose(one.maxPriorityFeePerGas, other.maxPriorityFeePerGas),
  }));
}

function readFees(node: EvmNode): Promise<GasFees> {
  const calls = [
    { method: 'eth_feeHistory', params: ['0x1', 'latest', []] },
    { method: 'eth_maxPriorityFeePerGas', params: [] },
  ];
  return node.read(calls, ([history, tip]) => {
    // The last one is of the block after the newest.
    const next = readList(readObject(history)['baseFeePerGas']).at(-1);
    if (next === undefined) throw new ChainUnreadable('GARBAGE');
    const maxPriorityFeePerGas = readQuantity(tip);
    return { maxFeePerGas: 2n * readQuantity(next) + maxPriorityFeePerGas, maxPriorityFeePerGas };
  });
}

const lower = (one: bigint, other: bigint): bigint => (one < other ? one : other);
const higher = (one: bigint, other: bigint): bigint => (one > other ? one : other);
