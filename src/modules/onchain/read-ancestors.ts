import { ChainUnreadable } from '../../domain/onchain/chain-nodes.ts';
import type { ChainDeps, PollCycle } from './chain-deps.ts';

/** Blocks that are remembered; beyond that all are read anew. */
const ANCESTORS_MAX = 4_096;

const NONE: ReadonlyMap<bigint, string> = new Map();

/**
 * The hashes of the blocks of those numbers, none above the newest one, on the chain that ends with it. One that was read
 * before is not read again while the newest block of then is of the chain still: each block commits to those before it.
 * What is remembered is replaced as a whole, so that poll cycles beside each other never mix two chains. Throws
 * ChainUnreadable, also where the chain changes meanwhile.
 */
export async function readAncestors(
  { nodes, memory }: Pick<ChainDeps, 'nodes' | 'memory'>,
  { heads: { latest } }: PollCycle,
  numbers: readonly bigint[],
): Promise<ReadonlyMap<bigint, string>> {
  if (numbers.length === 0) return NONE;
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
  const { chain } = memory;
  const size = chain?.ancestors.size ?? 0;
  const isKept = chain !== null && size > 0 && size <= ANCESTORS_MAX;
  let known = isKept ? chain.ancestors : NONE;
  const before = isKept && chain.tip.hash !== latest.hash ? chain.tip : null;
  const unread = [...new Set(numbers)].filter((number) => !known.has(number));
  let found = NONE;
  if (before !== null || unread.length > 0) {
    found = await read(before === null ? unread : [...unread, before.number]);
    if (before !== null && found.get(before.number) !== before.hash) {
      known = NONE;
      found = await read(numbers);
    }
  }
  const asked = numbers.flatMap((number): [bigint, string][] => {
    const hash = found.get(number);
    return hash === undefined ? [] : [[number, hash]];
  });
  const ancestors = new Map([...known, ...asked]);
  memory.chain = { tip: { number: latest.number, hash: latest.hash }, ancestors };
  return ancestors;
}
