import type { NextPoll } from '../../../../src/domain/onchain/next-poll.ts';
import { follow, type PollTaken } from './follow.ts';
import type { SimulatedNetwork } from './simulated-network.ts';

/** Has a chain polled while a script goes through, and ends the network's time with it. Throws what either throws. */
export async function play<Result>(
  { time, providers }: SimulatedNetwork,
  poll: () => Promise<NextPoll>,
  script: () => Promise<Result>,
  heard?: (taken: PollTaken) => void,
): Promise<Result> {
  const following = follow(time, poll, heard);
  const broken = following.then((): never => {
    throw new Error('the polls ended before the script');
  });
  try {
    return await Promise.race([script(), broken]);
  } finally {
    time.end();
    for (const provider of providers) provider.shut();
    await following.catch(() => undefined);
    await broken.catch(() => undefined);
  }
}
