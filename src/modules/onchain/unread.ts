import { ChainPartlyUnread, ChainUnreadable } from '../../domain/onchain/chain-nodes.ts';
import type { ChainDeps } from './chain-deps.ts';
import { pastFault } from './past-fault.ts';

/** What a poll cycle could not read, and went past. */
export interface Unread {
  /**
   * Does the work about what `about` names; null where the nodes did not answer alike, which `tell` says at the poll
   * cycle's end, and where an error of ours was told.
   */
  past<Result>(about: string, work: () => Promise<Result>): Promise<Result | null>;
  /** Whether nothing could be read for so long that the rest is not asked for in this poll cycle. */
  isSilent(): boolean;
  /** Throws ChainPartlyUnread, with the first reason that was met; does nothing where there was none. */
  tell(): void;
}

/** Questions in a row without an answer, of up to 10 s each, after which a poll cycle asks no more. */
const SILENT_AFTER = 3;

/** One question without an answer, or one row that is wrong, must not keep a poll cycle from all the others. */
export function createUnread(deps: Pick<ChainDeps, 'onFault' | 'signal'>): Unread {
  let first: ChainUnreadable | null = null;
  let inRow = 0;
  return {
    async past(about, work) {
      try {
        const result = await pastFault(deps, about, work);
        inRow = 0;
        return result;
      } catch (error) {
        if (!(error instanceof ChainUnreadable)) throw error;
        first ??= error;
        inRow += 1;
        return null;
      }
    },
    isSilent: () => inRow >= SILENT_AFTER,
    tell() {
      if (first !== null) throw new ChainPartlyUnread(first.why);
    },
  };
}
