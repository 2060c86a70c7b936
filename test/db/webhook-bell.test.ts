import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadDueDeliveries } from '../../src/db/webhook-delivery-store.ts';
import { clearBell } from '../../src/db/webhook-endpoint-store.ts';
import { createWebhookWorld, type WebhookWorld } from '../webhooks/webhook-world.ts';

let world: WebhookWorld;
beforeAll(async () => {
  world = await createWebhookWorld();
});
afterAll(() => world.close());

const addEndpoint = () => world.addEndpoint('http://127.0.0.1:9/hooks');
const clear = (id: string) =>
  world.db.exclusive(world.scope, (tx) => clearBell(tx, world.scope, id));
const due = (id: string) =>
  world.db.read(world.scope, (tx) =>
    loadDueDeliveries(tx, world.scope, id, world.clock.now(), 100),
  );

describe("an endpoint's bell", () => {
  it('rings once until a drain begins, however many events come', async () => {
    const { id } = await addEndpoint();
    world.rung.length = 0;
    for (let n = 0; n < 5; n++) await world.record(`pay_once_${String(n)}`);
    expect(world.rung.filter((one) => one === id)).toEqual([id]);
    await clear(id);
    await world.record('pay_once_5');
    await world.record('pay_once_6');
    expect(world.rung.filter((one) => one === id)).toEqual([id, id]);
  });

  it('rings once where many transactions race to ring it', async () => {
    const { id } = await addEndpoint();
    world.rung.length = 0;
    await Promise.all(Array.from({ length: 30 }, (_, n) => world.record(`pay_race_${String(n)}`)));
    expect(world.rung.filter((one) => one === id)).toEqual([id]);
    expect(await due(id)).toHaveLength(30);
  });

  it('is cleared only after every writer that saw it up has committed: a late commit is found', async () => {
    const { id } = await addEndpoint();
    await world.record('pay_early');
    expect(await world.endpoint(id)).toMatchObject({ rung: true });
    world.rung.length = 0;

    // The writer sees the bell up, so it will not ring; its event is not visible yet.
    const late = await world.recordLate('pay_late');
    let isCleared = false;
    const clearing = clear(id).then(() => (isCleared = true));
    await world.waitForBlockedLock();
    expect(isCleared).toBe(false);
    expect((await due(id)).map((one) => one.resourceId)).toEqual(['pay_early']);

    await Promise.all([late.commit(), clearing]);
    expect(world.rung).not.toContain(id);
    expect((await due(id)).map((one) => one.resourceId)).toEqual(['pay_early', 'pay_late']);
  });

  it('is rung again by a writer that comes while a drain is clearing it', async () => {
    const { db, scope } = world;
    const { id } = await addEndpoint();
    await world.record('pay_before');
    world.rung.length = 0;
    let letClear = () => {};
    const mayClear = new Promise<void>((resolve) => (letClear = resolve));
    let hasCleared = () => {};
    const cleared = new Promise<void>((resolve) => (hasCleared = resolve));
    const clearing = db.exclusive(scope, async (tx) => {
      await clearBell(tx, scope, id);
      hasCleared();
      await mayClear;
    });
    await cleared;
    const writer = world.record('pay_after');
    await world.waitForBlockedLock();
    letClear();
    await Promise.all([clearing, writer]);
    expect(world.rung).toContain(id);
  });
});
