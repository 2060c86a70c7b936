import type { BlockHeader } from '../../domain/onchain/chain-facts.ts';
import type { ChainUnreadable } from '../../domain/onchain/chain-nodes.ts';
import { agreeEach, blockCall, readBlockAt, type EvmNodes } from './evm-node.ts';

/**
 * The blocks of some numbers that all nodes call canonical, in their order, each asked for once; null above the head, and
 * in the place of one that cannot be read why.
 */
export async function readBlocks(
  nodes: EvmNodes,
  numbers: readonly bigint[],
): Promise<(BlockHeader | null | ChainUnreadable)[]> {
  const distinct = [...new Set(numbers)];
  const read = (result: unknown, place: number) => readBlockAt(result, distinct[place] ?? -1n);
  const blocks = await agreeEach(nodes, distinct.map(blockCall), read);
  const byNumber = new Map(distinct.map((number, place) => [number, blocks[place] ?? null]));
  return numbers.map((number) => byNumber.get(number) ?? null);
}
