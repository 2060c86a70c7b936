import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSignerHarness, type SignerHarness } from '../../support/onchain/signer-harness.ts';

let harness: SignerHarness;
beforeAll(async () => {
  harness = await createSignerHarness();
});
afterAll(() => harness.close());

it('a payment is COMPLETED at credit depth and FINAL at the final block', async () => {
  const { id, order } = await harness.send();
  await harness.poll();
  expect(await harness.payment(id)).toMatchObject({ status: 'SENT' });
  await harness.mineAndPoll(3);
  expect(await harness.payment(id)).toMatchObject({ status: 'SENT' });
  expect(await harness.balance(order.to)).toBe(order.amount);
  await harness.mineAndPoll(1);
  expect(harness.woken).toHaveLength(1);
  await harness.mineAndPoll(2);
  expect(await harness.poll()).toEqual({ kind: 'WAIT', waitMs: 1_000 });
  await harness.mineAndPoll(1);
  expect(await harness.poll()).toEqual({ kind: 'IDLE' });
  expect(await harness.payment(id)).toEqual({
    ...{ status: 'COMPLETED', fundsStatus: 'DELIVERED' },
    ...{ finality: 'FINAL', reconciliation: 'RECONCILED' },
  });
  expect(harness.alarms).toEqual([]);
});
