import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestTemporal, type TestTemporal } from '../../support/temporal.ts';
import { deliverBursts } from '../../support/workflow/webhook-workers.ts';

let temporal: TestTemporal;
beforeAll(async () => {
  temporal = await openTestTemporal();
});
afterAll(() => temporal.close());

it('10,000 webhook events cost at most 600 history events', async () => {
  const { delivered, historyEvents } = await deliverBursts(temporal, 200);
  expect(delivered).toBe(10_000);
  expect(historyEvents).toBeLessThanOrEqual(600);
});
