import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChainDeps } from '../../../src/modules/onchain/chain-deps.ts';
import { pollChain } from '../../../src/modules/onchain/poll-chain.ts';
import { pollKilledAfter } from '../../support/onchain/killed-poll.ts';
import { createSignerHarness, type SignerHarness } from '../../support/onchain/signer-harness.ts';
import { addSweeps, type SweepChain } from '../../support/onchain/sweep-parts.ts';

const HOUR_MS = 3_600_000;
const ONE = 1_000_000n;

let harness: SignerHarness;
let chain: SweepChain;
beforeAll(async () => {
  harness = await createSignerHarness();
  chain = await addSweeps(harness);
});
afterAll(() => harness.close());

const poll = (overrides: Partial<ChainDeps> = {}) => pollChain({ ...chain.deps, ...overrides });

/** What it sent becomes final. */
async function makeFinal(): Promise<void> {
  harness.clock.advance(10_000);
  await poll();
  await harness.anvil.mine(8);
  await poll();
  await poll();
}

it('a process killed after any step of a sweep sweeps all the same', async () => {
  let isOver = false;
  let effects = 0;
  for (let effect = 1; !isOver; effect += 1) {
    const address = await chain.deposit('USDC', ONE);
    await harness.anvil.mine(7);
    harness.clock.advance(10_000);
    isOver = await pollKilledAfter({ deps: chain.deps, poll }, effect);
    effects = effect;
    await makeFinal();
    expect(await harness.balance(address)).toBe(0n);
    expect((await chain.sweeps()).map(({ state }) => state)).not.toContain('OPEN');
    harness.clock.advance(HOUR_MS);
  }
  // A sweep is planned, signed, stored and sent at least: the process was killed after each.
  expect(effects).toBeGreaterThan(4);
  expect(harness.alarms).toEqual([]);
});
