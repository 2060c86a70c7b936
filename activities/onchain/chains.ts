import type { NextPoll } from '../../src/domain/onchain/next-poll.ts';
import type { ChainDeps } from '../../src/modules/onchain/chain-deps.ts';
import { pollChain } from '../../src/modules/onchain/poll-chain.ts';
import { voidTransfer } from '../../src/modules/onchain/void-transfer.ts';
import { ChainPartlyUnread, ChainUnreadable } from '../../src/domain/onchain/chain-nodes.ts';
import type { ChainPlace } from '../../src/domain/onchain/network.ts';
import { ActivityError } from '../failures.ts';

interface ChainActivityDeps {
  /** Null where the chain was taken out of the configuration. */
  readonly chainOf: (place: ChainPlace) => ChainDeps | null;
  /** Of the running activity: aborted once it timed out, or its process stops. */
  readonly cancellation: () => AbortSignal;
  /** For the log: a code of the reader's own. */
  readonly onUnreadable: (place: ChainPlace, why: string) => void;
}

/** How long what is under way waits for a chain that was taken out of the configuration. */
const NO_CHAIN_RETRY_MS = 30_000;

/** What chains need of the world: nodes, keys and the database, as the process has them that signs. */
export function createChainActivities(deps: ChainActivityDeps) {
  function chainAt(place: ChainPlace): ChainDeps {
    const chain = deps.chainOf(place);
    if (chain !== null) return chain;
    throw new ActivityError('CHAIN_UNREADABLE', { retryAfterMs: NO_CHAIN_RETRY_MS });
  }
  return {
    /** One poll cycle: outcomes of what was sent, then what waits to be sent. */
    async lookAtChain(place: ChainPlace): Promise<NextPoll> {
      const chain = chainAt(place);
      const signal = deps.cancellation();
      try {
        return await pollChain({ ...chain, signal });
      } catch (error) {
        // It timed out, or its process stops: the next attempt goes on where this one ended.
        if (signal.aborted) throw new ActivityError('CHAIN_UNREADABLE');
        if (!(error instanceof ChainUnreadable)) throw error;
        deps.onUnreadable(place, error.why);
        const { pollEveryMs } = chain.settings;
        const isSoon = error instanceof ChainPartlyUnread;
        throw new ActivityError('CHAIN_UNREADABLE', isSoon ? { retryAfterMs: pollEveryMs } : {});
      }
    },
    /** Gives a transfer up. False: it is settled, over, unknown, or given up already. */
    async voidTransfer({
      reference,
      ...place
    }: ChainPlace & { readonly reference: string }): Promise<boolean> {
      return voidTransfer(chainAt(place), reference);
    },
  };
}
