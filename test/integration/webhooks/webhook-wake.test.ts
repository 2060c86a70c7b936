import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginDrain, endDrain, lookInDrain } from '../../../src/db/webhooks/webhook-drain-store.ts';
import {
  createWebhookHarness,
  type WebhookHarness,
} from '../../support/webhooks/webhook-harness.ts';

let harness: WebhookHarness;
beforeAll(async () => {
  harness = await createWebhookHarness();
});
afterAll(() => harness.close());

const addEndpoint = () => harness.addEndpoint('http://127.0.0.1:9/hooks');
const step = (endpointId: string) => ({ endpointId, at: harness.clock.now() });
const begin = (id: string) => beginDrain(harness.db, harness.scope, step(id));
const end = (id: string) => endDrain(harness.db, harness.scope, step(id));
const due = async (id: string) => (await lookInDrain(harness.db, harness.scope, step(id))).due;
const isUp = async (id: string) => (await harness.endpoint(id))?.wake_pending;
const deliver = (id: string) =>
  harness.db.write(harness.scope, (tx) =>
    tx.query("UPDATE webhook_deliveries SET status = 'DELIVERED' WHERE endpoint_id = $1", [id]),
  );

describe("an endpoint's wake", () => {
  it('raises its flag once until a drain ends, however many events come', async () => {
    const { id } = await addEndpoint();
    harness.wakes.length = 0;
    for (let n = 0; n < 5; n++) await harness.record(`pay_once_${String(n)}`);
    await begin(id);
    await harness.record('pay_once_5');
    expect(harness.wakes.filter((one) => one === id)).toEqual([id]);
    await deliver(id);
    expect((await end(id)).due).toEqual([]);
    await harness.record('pay_once_6');
    await harness.record('pay_once_7');
    expect(harness.wakes.filter((one) => one === id)).toEqual([id, id]);
  });

  it('stays up where the last look of a drain finds something', async () => {
    const { id } = await addEndpoint();
    await harness.record('pay_found');
    expect((await end(id)).due.map((one) => one.resourceId)).toEqual(['pay_found']);
    expect(await isUp(id)).toBe(true);
  });

  it('is raised by a drain that no event has asked for: what comes meanwhile wakes no drain', async () => {
    const { id } = await addEndpoint();
    expect(await isUp(id)).toBe(false);
    await begin(id);
    harness.wakes.length = 0;
    await harness.record('pay_meanwhile');
    expect(harness.wakes).not.toContain(id);
    expect((await end(id)).due).toHaveLength(1);
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
    await deliver(id);
    expect(await isUp(id)).toBe(true);
    harness.wakes.length = 0;

    // The writer sees the flag up, so it will not wake; its event is not visible yet.
    const late = await harness.recordLate('pay_late');
    const ending = end(id);
    await harness.waitForBlockedLock();
    expect(await due(id)).toEqual([]);

    await late.commit();
    expect((await ending).due.map((one) => one.resourceId)).toEqual(['pay_late']);
    expect(harness.wakes).not.toContain(id);
    expect(await isUp(id)).toBe(true);
  });

  it('is not waited for longer than half a second, and stays up', async () => {
    const { id } = await addEndpoint();
    await harness.record('pay_first');
    await deliver(id);
    const late = await harness.recordLate('pay_held');
    await expect(end(id)).rejects.toMatchObject({ code: '55P03' });
    expect(await isUp(id)).toBe(true);
    await late.commit();
  });

  it('is set again by a writer that comes while a drain is clearing it', async () => {
    const { db, scope } = harness;
    const { id } = await addEndpoint();
    await harness.record('pay_before');
    await deliver(id);
    harness.wakes.length = 0;
    const { customerId, environment } = scope;
    const call = 'SELECT FROM end_webhook_drain($1, $2, $3, $4, 100)';
    let letClear = () => {};
    const mayClear = new Promise<void>((resolve) => (letClear = resolve));
    let hasCleared = () => {};
    const cleared = new Promise<void>((resolve) => (hasCleared = resolve));
    const clearing = db.write({ ...scope, environment: 'live' }, async (tx) => {
      await tx.query(call, [customerId, environment, id, harness.clock.now()]);
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
