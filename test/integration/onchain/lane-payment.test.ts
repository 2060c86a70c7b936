import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLaneHarness, type LaneHarness } from '../../support/onchain/lane-harness.ts';

let harness: LaneHarness;
beforeAll(async () => {
  harness = await createLaneHarness();
});
afterAll(() => harness.close());

it('a payment is COMPLETED at credit depth and FINAL at the final block', async () => {
  const { id, order } = await harness.send();
  await harness.tick();
  expect(await harness.payment(id)).toMatchObject({ status: 'SENT' });
  await harness.mineAndTick(3);
  expect(await harness.payment(id)).toMatchObject({ status: 'SENT' });
  expect(await harness.balance(order.to)).toBe(order.amount);
  await harness.mineAndTick(1);
  expect(harness.woken).toHaveLength(1);
  await harness.mineAndTick(2);
  expect(await harness.tick()).toEqual({ kind: 'WAIT', waitMs: 1_000 });
  await harness.mineAndTick(1);
  expect(await harness.tick()).toEqual({ kind: 'IDLE' });
  expect(await harness.payment(id)).toEqual({
    ...{ status: 'COMPLETED', fundsStatus: 'DELIVERED' },
    ...{ finality: 'FINAL', reconciliation: 'RECONCILED' },
  });
  expect(harness.alarms).toEqual([]);
});
