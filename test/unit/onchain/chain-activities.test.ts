import { expect, it } from 'vitest';
import { createChainActivities } from '../../../activities/onchain/chains.ts';
import type { ChainDeps } from '../../../src/modules/onchain/chain-deps.ts';
import { createChainMemory } from '../../../src/modules/onchain/chain-memory.ts';

const PLACE = { environment: 'test', network: 'BASE' } as const;

it('a poll cycle whose activity timed out asks about no signer account any more: the next one runs beside it', async () => {
  const activity = new AbortController();
  const asked: string[] = [];
  const ask = (name: string) => async () => {
    asked.push(name);
    return Promise.reject(new Error('it was aborted'));
  };
  // Something is under way, nothing is to be told, and one address is followed.
  const answers = [true, [], [], ['0xhot']];
  const chain = {
    db: { system: async () => (answers.length > 0 ? answers.shift() : ask('database')()) },
    clock: { now: () => new Date(0) },
    nodes: {
      async heads() {
        activity.abort();
        return {};
      },
      nonceAt: ask('nonceAt'),
    },
    settings: { hotAddresses: [] },
    memory: createChainMemory(),
    onFault: (about: string) => void asked.push(about),
  } as unknown as ChainDeps;
  const unreadable: string[] = [];
  const { lookAtChain } = createChainActivities({
    chainOf: () => chain,
    cancellation: () => activity.signal,
    onUnreadable: (_place, why) => void unreadable.push(why),
  });
  await expect(lookAtChain(PLACE)).rejects.toMatchObject({ code: 'CHAIN_UNREADABLE' });
  expect([asked, unreadable]).toEqual([[], []]);
});
