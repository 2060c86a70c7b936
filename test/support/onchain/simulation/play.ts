import type { NextPoll } from '../../../../src/domain/onchain/next-poll.ts';
import { follow, type PollTaken } from './follow.ts';
import type { SimulatedNetwork } from './simulated-network.ts';

/**
 * Has a chain polled while a script goes through, and ends the network's time with it. `beside` goes on until then too.
 * Throws what any of them throws.
 */
export async function play<Result>(
  { time, providers }: SimulatedNetwork,
  poll: () => Promise<NextPoll>,
  script: () => Promise<Result>,
  {
    heard,
    beside = async () => undefined,
  }: {
    readonly heard?: (taken: PollTaken) => void;
    readonly beside?: () => Promise<void>;
  } = {},
): Promise<Result> {
  const following = Promise.all([follow(time, poll, heard), beside()]);
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
