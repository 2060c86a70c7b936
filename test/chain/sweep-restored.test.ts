import { afterEach, beforeEach, expect, it } from 'vitest';
import { tickChain } from '../../src/chain/tick-chain.ts';
import { beginRestoreMode, endRestoreMode } from '../../src/db/restore-mode-store.ts';
import { createLaneHarness, type LaneHarness } from '../support/chain/lane-harness.ts';
import { addSweeps, TREASURY, type SweepChain } from '../support/chain/sweep-parts.ts';
import { thawLane } from '../support/chain/thaw-lane.ts';

const HOUR_MS = 3_600_000;
const ONE = 1_000_000n;

let harness: LaneHarness;
let chain: SweepChain;
beforeEach(async () => {
  harness = await createLaneHarness();
  chain = await addSweeps(harness);
});
afterEach(() => harness.close());

async function mineAndTick(blocks: number): Promise<void> {
  for (let mined = 0; mined < blocks; mined += 1) {
    await harness.anvil.mine();
    await tickChain(chain.deps);
  }
}

const laneStatus = async () => {
  const [row] = await harness.rows<{ status: string }>('SELECT status FROM chain_lanes');
  return row?.status;
};

it('a sweep that the restored database does not know is learnt from the chain, and is not another’s', async () => {
  await chain.deposit('USDC', ONE);
  await harness.anvil.mine(7);
  const restore = await harness.database.keepCopy();
  harness.clock.advance(10_000);
  await tickChain(chain.deps);
  await mineAndTick(8);
  expect(await chain.held(harness.usdc, TREASURY)).toBe(ONE);

  await restore();
  harness.clock.advance(1_000);
  const act = (reason: string) => ({
    ...{ actor: { kind: 'OPERATOR', name: 'ada' } as const, at: harness.clock.now() },
    reason,
  });
  await harness.database.db.system((tx) => beginRestoreMode(tx, act('restored')));
  harness.clock.advance(1_000);
  await harness.database.db.system((tx) => endRestoreMode(tx, act('adopted')));
  harness.clock.advance(60_000);
  await mineAndTick(1);
  expect(await laneStatus()).toBe('FROZEN');
  await thawLane(harness);
  for (let look = 0; look < 40 && (await laneStatus()) !== 'OPEN'; look += 1) await mineAndTick(1);
  expect(await laneStatus()).toBe('OPEN');
  const found = await harness.rows('SELECT kind FROM chain_transactions WHERE is_found');
  expect(found).toEqual([{ kind: 'SWEEP' }]);

  harness.clock.advance(HOUR_MS);
  await mineAndTick(1);
  expect(await chain.sweeps()).toEqual([]);
  expect(await harness.rows('SELECT FROM chain_unswept')).toEqual([]);
  await chain.deposit('USDC', 2n * ONE);
  await harness.anvil.mine(7);
  harness.clock.advance(10_000);
  await mineAndTick(9);
  expect(await chain.held(harness.usdc, TREASURY)).toBe(3n * ONE);
});
