import type { BlockRef } from '../../domain/onchain/chain-facts.ts';
import { ChainUnreadable } from '../../domain/onchain/chain-nodes.ts';
import type { ChainDeps, PollCycle } from './chain-deps.ts';

/** Blocks that are remembered; beyond that all are read anew. */
const ANCESTORS_MAX = 4_096;

/**
 * The hashes of the blocks of those numbers, none above the newest one, on the chain that ends with it. One that was read
 * before is not read again while the newest block of then is of the chain still: each block commits to those before it.
 * Throws ChainUnreadable, also where the chain changes meanwhile.
 */
export async function readAncestors(
  { nodes, memory }: Pick<ChainDeps, 'nodes' | 'memory'>,
  { heads: { latest } }: PollCycle,
  numbers: readonly bigint[],
): Promise<ReadonlyMap<bigint, string>> {
  const { tip, ancestors } = memory;
  if (numbers.length === 0) return ancestors;
  if (ancestors.size > ANCESTORS_MAX) ancestors.clear();
  const before = ancestors.size === 0 || tip?.hash === latest.hash ? null : tip;
  const unread = [...new Set(numbers)].filter((number) => !ancestors.has(number));
  if (before === null && unread.length === 0) return remember(latest);
  const read = async (asked: readonly bigint[]): Promise<ReadonlyMap<bigint, string>> => {
    // The newest one last: those before it are its ancestors, as far as it is of the chain still.
    const wanted = [...asked.filter((number) => number < latest.number), latest.number];
    const found = new Map<bigint, string>();
    for (const block of await nodes.blocksAt(wanted)) {
      if (block instanceof ChainUnreadable) throw block;
      if (block !== null) found.set(block.number, block.hash);
    }
    if (found.get(latest.number) !== latest.hash) throw new ChainUnreadable('REORG');
    return found;
  };
  let found = await read(before === null ? unread : [...unread, before.number]);
  if (before !== null && found.get(before.number) !== before.hash) {
    ancestors.clear();
    found = await read(numbers);
  }
  for (const number of numbers) {
    const hash = found.get(number);
    if (hash !== undefined) ancestors.set(number, hash);
  }
  return remember(latest);

  function remember({ number, hash }: BlockRef): ReadonlyMap<bigint, string> {
    memory.tip = { number, hash };
    return ancestors;
  }
}
