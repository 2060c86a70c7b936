import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadDueDeliveries } from '../../src/db/webhook-delivery-store.ts';
import { clearWake } from '../../src/db/webhook-endpoint-store.ts';
import { createWebhookHarness, type WebhookHarness } from '../webhooks/webhook-harness.ts';

let harness: WebhookHarness;
beforeAll(async () => {
  harness = await createWebhookHarness();
});
afterAll(() => harness.close());

const addEndpoint = () => harness.addEndpoint('http://127.0.0.1:9/hooks');
const clear = (id: string) =>
  harness.db.exclusive(harness.scope, (tx) => clearWake(tx, harness.scope, id));
const due = (id: string) =>
  harness.db.read(harness.scope, (tx) =>
    loadDueDeliveries(tx, harness.scope, id, harness.clock.now(), 100),
  );

describe("an endpoint's wake", () => {
  it('raises its flag once until a drain begins, however many events come', async () => {
    const { id } = await addEndpoint();
    harness.wakes.length = 0;
    for (let n = 0; n < 5; n++) await harness.record(`pay_once_${String(n)}`);
    expect(harness.wakes.filter((one) => one === id)).toEqual([id]);
    await clear(id);
    await harness.record('pay_once_5');
    await harness.record('pay_once_6');
    expect(harness.wakes.filter((one) => one === id)).toEqual([id, id]);
  });

  it('wakes once where many transactions race to wake it', async () => {
    const { id } = await addEndpoint();
    harness.wakes.length = 0;
    await Promise.all(
      Array.from({ length: 30 }, (_, n) => harness.record(`pay_race_${String(n)}`)),
    );
    expect(harness.wakes.filter((one) => one === id)).toEqual([id]);
    expect(await due(id)).toHaveLength(30);
  });

  it('is cleared only after every writer that saw it up has committed: a late commit is found', async () => {
    const { id } = await addEndpoint();
    await harness.record('pay_early');
    expect(await harness.endpoint(id)).toMatchObject({ wake_pending: true });
    harness.wakes.length = 0;

    // The writer sees the flag up, so it will not wake; its event is not visible yet.
    const late = await harness.recordLate('pay_late');
    let isCleared = false;
    const clearing = clear(id).then(() => (isCleared = true));
    await harness.waitForBlockedLock();
    expect(isCleared).toBe(false);
    expect((await due(id)).map((one) => one.resourceId)).toEqual(['pay_early']);

    await Promise.all([late.commit(), clearing]);
    expect(harness.wakes).not.toContain(id);
    expect((await due(id)).map((one) => one.resourceId)).toEqual(['pay_early', 'pay_late']);
  });

  it('is set again by a writer that comes while a drain is clearing it', async () => {
    const { db, scope } = harness;
    const { id } = await addEndpoint();
    await harness.record('pay_before');
    harness.wakes.length = 0;
    let letClear = () => {};
    const mayClear = new Promise<void>((resolve) => (letClear = resolve));
    let hasCleared = () => {};
    const cleared = new Promise<void>((resolve) => (hasCleared = resolve));
    const clearing = db.exclusive(scope, async (tx) => {
      await clearWake(tx, scope, id);
      hasCleared();
      await mayClear;
    });
    await cleared;
    const writer = harness.record('pay_after');
    await harness.waitForBlockedLock();
    letClear();
    await Promise.all([clearing, writer]);
    expect(harness.wakes).toContain(id);
  });
});
