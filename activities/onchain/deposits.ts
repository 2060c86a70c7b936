import type { NextPoll } from '../../src/domain/onchain/next-poll.ts';
import { readChain } from '../../src/modules/onchain/deposits/read-chain.ts';
import type { ReaderDeps } from '../../src/modules/onchain/deposits/reader-deps.ts';
import { ChainUnreadable } from '../../src/domain/onchain/chain-nodes.ts';
import type { ChainPlace } from '../../src/domain/onchain/network.ts';
import { ActivityError } from '../failures.ts';

interface DepositActivityDeps {
  /**
   * Null where the chain was taken out of the configuration. Throws ChainUnreadable while its nodes and its
   * settings do not agree.
   */
  readonly readerOf: (place: ChainPlace) => Promise<ReaderDeps | null>;
  /** Pays on the final deposits of the chain that are due. */
  readonly payOnDeposits: (place: ChainPlace) => Promise<void>;
  /** For the log: a code of the reader's own. */
  readonly onUnreadable: (place: ChainPlace, why: string) => void;
}

/** What reading chains for deposits, and paying them on, needs of the world; no key signs here. */
export function createDepositActivities(deps: DepositActivityDeps) {
  return {
    /**
     * One poll cycle: what came to our addresses, what counts by now, and what is gone again; then pays on what is due.
     */
    async readDeposits(place: ChainPlace): Promise<NextPoll> {
      try {
        const reader = await deps.readerOf(place);
        if (reader === null) return { kind: 'IDLE' };
        const next = await readChain(reader);
        await deps.payOnDeposits(place);
        return next;
      } catch (error) {
        if (!(error instanceof ChainUnreadable)) throw error;
        deps.onUnreadable(place, error.why);
        throw new ActivityError('CHAIN_UNREADABLE');
      }
    },
  };
}
