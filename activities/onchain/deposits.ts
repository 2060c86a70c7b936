import type { NextPoll } from '../../src/domain/onchain/next-poll.ts';
import { checkBalances } from '../../src/modules/onchain/deposits/check-balances.ts';
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
  /** Of the running activity: aborted once it timed out, or its process stops. */
  readonly cancellation: () => AbortSignal;
  /** For the log: a code of the reader's own. */
  readonly onUnreadable: (place: ChainPlace, why: string) => void;
}

/** So often it is looked for addresses that were never counted, by each process. */
const LISTED_EVERY_MS = 24 * 3_600_000;

/** What reading chains for deposits, and paying them on, needs of the world; no key signs here. */
export function createDepositActivities(deps: DepositActivityDeps) {
  /** By place: when every address that was ever given out was listed to be counted last, in ms. */
  const listedAt = new Map<string, number>();

  async function withReader<Result>(
    place: ChainPlace,
    work: (reader: ReaderDeps) => Promise<Result>,
  ): Promise<Result | null> {
    const signal = deps.cancellation();
    try {
      const reader = await deps.readerOf(place);
      return reader === null ? null : await work({ ...reader, signal });
    } catch (error) {
      // It timed out, or its process stops: the next attempt goes on where this one ended.
      if (signal.aborted) throw new ActivityError('CHAIN_UNREADABLE');
      if (!(error instanceof ChainUnreadable)) throw error;
      deps.onUnreadable(place, error.why);
      throw new ActivityError('CHAIN_UNREADABLE');
    }
  }

  return {
    /**
     * One poll cycle: what came to our addresses, what counts by now, and what is gone again; then pays on what is due.
     */
    async readDeposits(place: ChainPlace): Promise<NextPoll> {
      const next = await withReader(place, async (reader) => {
        try {
          return await readChain(reader);
        } finally {
          // What is final is due, also where a provider fails now.
          await deps.payOnDeposits(place);
        }
      });
      return next ?? { kind: 'IDLE' };
    },

    /** Holds what lies at addresses whose turn has come against the books. */
    async checkDepositBalances(place: ChainPlace): Promise<void> {
      await withReader(place, async (reader) => {
        const key = `${place.environment}/${place.network}`;
        const now = reader.clock.now().getTime();
        const isListed = (listedAt.get(key) ?? -Infinity) > now - LISTED_EVERY_MS;
        if (await checkBalances(reader, isListed)) {
          if (!isListed) listedAt.set(key, now);
        }
      });
    },
  };
}
