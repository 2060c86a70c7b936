import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startReceiver } from '../../support/webhooks/receiver.ts';
import {
  createWebhookHarness,
  type WebhookHarness,
} from '../../support/webhooks/webhook-harness.ts';

const HOUR_MS = 3_600_000;

let harness: WebhookHarness;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let id: string;
beforeAll(async () => {
  harness = await createWebhookHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.beginTest();
  receiver = await startReceiver();
  ({ id } = await harness.addEndpoint(receiver.url));
});
afterEach(() => receiver.close());

const record = async (name: string, count: number) => {
  for (let n = 0; n < count; n += 1) await harness.record(`pay_${name}_${String(n)}`);
};
const receivedOf = (name: string) =>
  receiver.received.filter(({ body }) => body.includes(`pay_${name}`)).length;

describe('a writer of the scope that does not end', () => {
  it('keeps nothing back that others have committed', async () => {
    const limits = { runMs: 30_000, lingerMs: 500 };
    const draining = harness.drain(id, {}, { limits });
    // The drain has begun: the writer below does not wake its endpoint.
    await expect.poll(() => harness.endpoint(id)).toMatchObject({ wake_pending: true });
    const late = await harness.recordLate('pay_late');
    await harness.waitForBlockedLock();
    await record('new', 3);
    await expect.poll(() => receivedOf('new')).toBe(3);
    await late.commit();
    await draining;
    await harness.drain(id);
    expect(receivedOf('late')).toBe(1);
  });

  it('keeps no attempt from being recorded where the receiver says that it is gone', async () => {
    receiver.answer = (_request, response) => response.writeHead(410).end();
    await record('a', 5);
    const late = await harness.recordLate('pay_late');
    const limits = { runMs: 1_000, lingerMs: 100 };
    await harness.drain(id, {}, { limits });
    for (const one of await harness.deliveries(id)) {
      expect(one).toMatchObject({ attempts: 1, lastStatusCode: 410 });
    }
    expect(receiver.received).toHaveLength(5);
    await late.commit();
    // The next attempt says it again, and now there is a moment for it.
    harness.clock.advance(HOUR_MS);
    expect(await harness.drain(id)).toEqual({ kind: 'GONE' });
    expect(await harness.endpoint(id)).toMatchObject({ status: 'DISABLED' });
  });
});

describe('what was put off', () => {
  it('goes out at once though a batch of it was cut short by an event that is refused', async () => {
    receiver.answer = (_request, response) => response.writeHead(500).end();
    await harness.record('pay_bad');
    await record('a', 40);
    for (let n = 0; n < 5; n += 1) {
      await harness.drain(id);
      harness.clock.advance(6 * HOUR_MS);
    }
    await harness.drain(id);
    receiver.answer = ({ body }, response) => {
      if (body.includes('pay_bad')) response.writeHead(400).end();
      else setTimeout(() => response.writeHead(204).end(), body.includes('pay_new') ? 300 : 1);
    };
    harness.clock.advance(60_000);
    await harness.disable(id);
    await harness.enable(id);
    harness.clock.advance(1);
    await record('new', 7);
    // In the quick queue a batch ends with the first failure.
    for (let n = 0; n < 5; n += 1) {
      await harness.drain(id, { isSlowQueue: false });
      harness.clock.advance(60_000);
      await harness.record(`pay_later_${String(n)}`);
    }
    const waiting = (await harness.deliveries(id)).filter(({ status }) => status === 'PENDING');
    expect(waiting.length).toBeLessThanOrEqual(2);
  });
});
