import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createLaneHarness, type LaneHarness } from '../../support/onchain/lane-harness.ts';
import { comeBack } from '../../support/onchain/restored-lane.ts';
import { thawLane } from '../../support/onchain/thaw-lane.ts';
import { addTopUps, FLOOR, TARGET, type ToppedUp } from '../../support/onchain/top-up-parts.ts';

let harness: LaneHarness;
let chain: ToppedUp;
let startOver: () => Promise<void>;
beforeAll(async () => {
  harness = await createLaneHarness();
  startOver = await harness.keepStart();
});
beforeEach(async () => {
  await startOver();
  chain = addTopUps(harness);
  await harness.send(100_000_000_000n);
});
afterAll(() => harness.close());

const statuses = async () => {
  const rows = await harness.rows<{ status: string }>('SELECT status FROM chain_lanes');
  return rows.map(({ status }) => status);
};

it.each(['in the settings', 'only in the database'])(
  'a top-up that the restored database does not know is learnt from the chain; its lane is known %s',
  async (where) => {
    await chain.mineAndTick(1, { settings: { ...chain.deps.settings, topUps: null } });
    const restore = await harness.database.keepCopy();
    await chain.tick();
    await chain.makeFinal();
    expect(await chain.topUps()).toMatchObject([{ state: 'FINAL' }]);

    await comeBack(harness, restore);
    const { settings } = chain.deps;
    const known = where === 'in the settings' ? settings.lanes : [harness.lane];
    const after = { settings: { ...settings, lanes: known } };
    await chain.mineAndTick(1);
    expect(await statuses()).toEqual(['FROZEN', 'FROZEN']);
    await thawLane(harness);
    await thawLane(harness, 'LANE_THAW', chain.short);
    const isOpen = async () => (await statuses()).every((status) => status === 'OPEN');
    for (let look = 0; look < 20 && !(await isOpen()); look += 1) {
      await harness.anvil.mine(4);
      await chain.tick(after);
    }
    expect(await statuses()).toEqual(['OPEN', 'OPEN']);
    const found = await harness.rows(
      'SELECT kind, value::text AS value FROM chain_transactions WHERE is_found',
    );
    expect(found).toEqual([{ kind: 'TOP_UP', value: TARGET.toString() }]);

    // It is no second time short of what it has, and gets the next one as any other lane does.
    await chain.makeFinal();
    expect(await chain.topUps()).toEqual([]);
    await chain.setCoins(chain.short, FLOOR - 1n);
    await chain.tick();
    await chain.makeFinal();
    expect(await chain.topUps()).toMatchObject([{ state: 'FINAL' }]);
    expect(await chain.coins(chain.short)).toBe(TARGET);
  },
);
