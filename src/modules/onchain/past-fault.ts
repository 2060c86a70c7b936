import { isDatabaseOutage } from '../../db/client/outage.ts';
import { ChainUnreadable } from '../../domain/onchain/chain-nodes.ts';
import type { ChainDeps } from './chain-deps.ts';

/**
 * Does work about one thing of a network, which `about` names by ids. An error of ours, as of a row that is not as it
 * must be, is told, and keeps nothing else of the network from its turn: null. Throws ChainUnreadable, what a
 * database throws that cannot serve now, and whatever is met once the work was aborted: they concern everything.
 */
export async function pastFault<Result>(
  { onFault, signal }: Pick<ChainDeps, 'onFault' | 'signal'>,
  about: string,
  work: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ChainUnreadable || isDatabaseOutage(error) || signal?.aborted) throw error;
    onFault(about, error);
    return null;
  }
}
