import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  openSimulatedNetwork,
  type SimulatedNetwork,
} from '../../support/onchain/simulation/simulated-network.ts';

const MINUTE_MS = 60_000;

let network: SimulatedNetwork;
beforeAll(async () => {
  network = await openSimulatedNetwork({ network: 'ETHEREUM', seed: 1, failedPercent: 0 });
});
afterAll(() => network.close());

/** What it takes of the simulation's time. */
async function taken(work: () => Promise<unknown>): Promise<number> {
  const startedMs = network.time.now().getTime();
  await work();
  return network.time.now().getTime() - startedMs;
}

it('questions cost one round trip side by side, and one each after the other', async () => {
  const { nodes, anvil, head } = network;
  const ask = () => nodes.blockAt(BigInt(head()));
  expect(await taken(ask)).toBe(80);
  expect(await taken(() => Promise.all([ask(), ask(), ask()]))).toBe(80);
  expect(
    await taken(async () => {
      await ask();
      await network.time.working(() => anvil.rpc('eth_blockNumber'));
      await ask();
    }),
  ).toBe(160);
});

it('blocks come in their time, and are final after 13 to 19 minutes', async () => {
  const before = network.head();
  const lags: number[] = [];
  for (let block = 0; block < 64; block += 1) {
    await network.time.sleep(network.pace.blockMs);
    const { latest, final } = await network.nodes.heads();
    lags.push(latest.at.getTime() - final.at.getTime());
  }
  expect(network.head() - before).toBeGreaterThanOrEqual(64);
  expect(Math.min(...lags)).toBeGreaterThanOrEqual(12.8 * MINUTE_MS);
  // The two heads are asked one after the other: a block may come in between.
  expect(Math.max(...lags)).toBeLessThanOrEqual(19 * MINUTE_MS + network.pace.blockMs);
});
