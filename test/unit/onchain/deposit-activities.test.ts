import { expect, it } from 'vitest';
import { createDepositActivities } from '../../../activities/onchain/deposits.ts';
import { ChainUnreadable } from '../../../src/domain/onchain/chain-nodes.ts';
import type { ReaderDeps } from '../../../src/modules/onchain/deposits/reader-deps.ts';

const PLACE = { environment: 'test', network: 'BASE' } as const;

it('final deposits are paid on with each poll cycle, also where a provider does not answer', async () => {
  // Something is watched, and the network is not stopped.
  const answers = [true, null];
  const reader = {
    db: { system: async () => answers.shift() },
    nodes: {
      heads: async () => {
        throw new ChainUnreadable('NODE_1_TIMEOUT');
      },
    },
    settings: {},
  } as unknown as ReaderDeps;
  const paidOn: unknown[] = [];
  const unreadable: string[] = [];
  const { readDeposits } = createDepositActivities({
    readerOf: async () => reader,
    payOnDeposits: async (place) => void paidOn.push(place),
    cancellation: () => new AbortController().signal,
    onUnreadable: (_place, why) => void unreadable.push(why),
  });
  await expect(readDeposits(PLACE)).rejects.toThrow();
  expect(unreadable).toEqual(['NODE_1_TIMEOUT']);
  expect(paidOn).toEqual([PLACE]);
});
