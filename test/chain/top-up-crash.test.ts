import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLaneHarness, type LaneHarness } from '../support/chain/lane-harness.ts';
import { tickKilledAt } from '../support/chain/killed-tick.ts';
import { addTopUps, COIN, TARGET, type ToppedUp } from '../support/chain/top-up-parts.ts';

let harness: LaneHarness;
let chain: ToppedUp;
beforeAll(async () => {
  harness = await createLaneHarness();
  chain = addTopUps(harness);
  // More than any lane has: it waits, and the chain is looked at.
  await harness.send(100_000_000_000n);
});
afterAll(() => harness.close());

it.each(['BEFORE', 'AFTER'] as const)(
  'a process killed %s any step of a top-up gives what is short, once',
  async (when) => {
    const before = (await chain.topUps()).length;
    let isOver = false;
    let effects = 0;
    for (let effect = 1; !isOver; effect += 1) {
      await chain.setCoins(harness.lane, 10n * COIN);
      await chain.setCoins(chain.short, 0n);
      isOver = await tickKilledAt(chain, effect, when);
      effects = effect;
      await chain.mineAndTick(9);
      expect(await chain.coins(chain.short)).toBe(TARGET);
      const states = (await chain.topUps()).slice(before).map(({ state }) => state);
      expect(states).toEqual(Array.from({ length: effect }, () => 'FINAL'));
    }
    // It is planned, signed, stored and sent at least: the process was killed at each.
    expect(effects).toBeGreaterThan(8);
    expect(harness.alarms.map(({ kind }) => kind)).not.toContain('LANE_FROZEN');
  },
  240_000,
);
