import { readChain } from '../../src/modules/onchain/deposits/read-chain.ts';
import type { ReaderDeps } from '../../src/modules/onchain/deposits/reader-deps.ts';
import { ChainUnreadable } from '../../src/domain/onchain/chain-nodes.ts';
import type { ChainPlace } from '../../src/domain/onchain/network.ts';
import { ActivityError } from '../failures.ts';
import type { DepositActivities } from '../types.ts';

interface DepositActivityDeps {
  /**
   * Null where the chain was taken out of the configuration. Throws ChainUnreadable while its nodes and its
   * settings do not agree.
   */
  readonly readerOf: (place: ChainPlace) => Promise<ReaderDeps | null>;
  /** For the log: a code of the reader's own. */
  readonly onUnreadable: (place: ChainPlace, why: string) => void;
}

/** What reading chains for deposits needs of the world: nodes and the database, and no key. */
export function createDepositActivities(deps: DepositActivityDeps): DepositActivities {
  return {
    async readDeposits(place) {
      try {
        const reader = await deps.readerOf(place);
        return reader === null ? { kind: 'IDLE' } : await readChain(reader);
      } catch (error) {
        if (!(error instanceof ChainUnreadable)) throw error;
        deps.onUnreadable(place, error.why);
        throw new ActivityError('CHAIN_UNREADABLE');
      }
    },
  };
}
