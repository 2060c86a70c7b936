import { ChainPartlyUnread, ChainUnreadable } from '../../../../src/domain/onchain/chain-nodes.ts';
import type { NextPoll } from '../../../../src/domain/onchain/next-poll.ts';
import { POLL_EVERY_MS } from '../../../../src/server/runtime/open-chains.ts';
import type { SimulatedTime } from './simulated-time.ts';

/** How long a poll cycle that went through took, in ms of the simulation and of the machine. */
export interface PollTaken {
  readonly simulatedMs: number;
  readonly realMs: number;
}

/** As `CHAIN_POLL` of workflows/options.ts retries what was not readable. */
const FIRST_RETRY_MS = 1_000;
const RETRY_MS_MAX = 15_000;
/** How soon a workflow that has ended is woken again at the latest. */
const IDLE_MS = 1_000;

/** Polls again and again until the time is over, as a chain's workflow and the retries of its activity do. */
export async function follow(
  time: SimulatedTime,
  poll: () => Promise<NextPoll>,
  heard: (taken: PollTaken) => void = () => undefined,
): Promise<void> {
  let retryMs = FIRST_RETRY_MS;
  while (!time.isOver()) {
    const [simulated, real] = [time.now().getTime(), performance.now()];
    try {
      const next = await poll();
      heard({
        simulatedMs: time.now().getTime() - simulated,
        realMs: performance.now() - real,
      });
      retryMs = FIRST_RETRY_MS;
      await time.sleep(next.kind === 'WAIT' ? next.waitMs : IDLE_MS);
    } catch (error) {
      if (!(error instanceof ChainUnreadable)) throw error;
      await time.sleep(error instanceof ChainPartlyUnread ? POLL_EVERY_MS.live : retryMs);
      retryMs = Math.min(RETRY_MS_MAX, 2 * retryMs);
    }
  }
}
