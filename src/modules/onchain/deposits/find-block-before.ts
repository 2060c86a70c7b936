import type { BlockHeader } from '../../../domain/onchain/chain-facts.ts';
import { ChainUnreadable } from '../../../domain/onchain/chain-nodes.ts';
import type { ReaderDeps } from './reader-deps.ts';

/** How far a network's clock may be from ours. */
const SKEW_MS = 3_600_000;

/**
 * The last block that is older than a time, an hour's difference of clocks allowed for; the first one of all
 * where none is. `upTo` is returned where it is older itself. Throws ChainUnreadable.
 */
export async function findBlockBefore(
  { nodes }: Pick<ReaderDeps, 'nodes'>,
  at: Date,
  upTo: BlockHeader,
): Promise<BlockHeader> {
  const before = new Date(at.getTime() - SKEW_MS);
  if (upTo.at < before || upTo.number === 0n) return upTo;
  const headerAt = async (number: bigint): Promise<BlockHeader> => {
    const header = await nodes.blockAt(number);
    if (header === null) throw new ChainUnreadable('NO_BLOCK');
    return header;
  };
  let found = await headerAt(0n);
  let [low, high] = [0n, upTo.number];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    const header = await headerAt(middle);
    if (header.at < before) [low, found] = [middle, header];
    else high = middle;
  }
  return found;
}
