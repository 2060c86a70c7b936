import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { recordEvent } from '../../../src/db/webhooks/event-store.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { deleteEndpoint } from '../../../src/db/webhooks/webhook-endpoint-store.ts';
import { openWebhookClient } from '../../../src/modules/webhooks/safe-fetch.ts';
import { startReceiver, type Receiver } from '../../support/webhooks/receiver.ts';
import {
  createWebhookHarness,
  type WebhookHarness,
} from '../../support/webhooks/webhook-harness.ts';

let harness: WebhookHarness;
let receiver: Receiver;

beforeAll(async () => {
  harness = await createWebhookHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.beginTest();
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const respond = (status: number) => {
  receiver.answer = (_request, response) => response.writeHead(status).end();
};

describe('draining an endpoint', () => {
  it('delivers what its subscription names, signed, and then is idle', async () => {
    const endpoint = await harness.addEndpoint(receiver.url, ['kyc.*', 'payment.sent']);
    await harness.record('pay_a', 1, 'payment.created');
    await harness.record('pay_a', 2, 'payment.sent');
    expect(await harness.drain(endpoint.id)).toEqual({ kind: 'IDLE', isSlow: false });
    receiver.verifyAll(endpoint.secret);
    const [delivery] = await harness.deliveries(endpoint.id);
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.id).toBe(delivery?.eventId);
    const sent = JSON.parse(receiver.received[0]?.body ?? '') as { id: string; type: string };
    expect(sent).toMatchObject({ id: delivery?.eventId, type: 'payment.sent' });
    expect(delivery).toMatchObject({ status: 'DELIVERED', attempts: 1, lastStatusCode: 204 });
  });

  it('sends a refused event again under the same id with the time of the attempt', async () => {
    const endpoint = await harness.addEndpoint(receiver.url);
    await harness.record('pay_a');
    respond(500);
    expect(await harness.drain(endpoint.id)).toEqual({ kind: 'DUE', waitMs: 5_000, isSlow: true });
    expect(await harness.deliveries(endpoint.id)).toMatchObject([
      { status: 'PENDING', attempts: 1, lastStatusCode: 500, lastError: 'STATUS' },
    ]);
    respond(200);
    harness.clock.advance(4_999);
    expect(await harness.drain(endpoint.id)).toEqual({ kind: 'DUE', waitMs: 1, isSlow: true });
    harness.clock.advance(1);
    expect(await harness.drain(endpoint.id)).toEqual({ kind: 'IDLE', isSlow: false });
    const [first, second] = receiver.received;
    expect(receiver.received).toHaveLength(2);
    expect(second?.id).toBe(first?.id);
    expect(second?.body).toBe(first?.body);
    expect(Number(second?.timestamp)).toBe(Number(first?.timestamp) + 5);
    receiver.verifyAll(endpoint.secret);
  });

  it('gives up after the tenth attempt and lists the delivery EXHAUSTED', async () => {
    const endpoint = await harness.addEndpoint(receiver.url);
    await harness.record('pay_a');
    respond(302);
    let outcome = await harness.drain(endpoint.id);
    for (let attempt = 2; attempt <= 10; attempt++) {
      const [delivery] = await harness.deliveries(endpoint.id);
      const dueAt = delivery?.nextAttemptAt.getTime() ?? NaN;
      harness.clock.advance(dueAt - harness.clock.now().getTime());
      outcome = await harness.drain(endpoint.id);
    }
    expect(outcome).toEqual({ kind: 'IDLE', isSlow: true });
    expect(receiver.received).toHaveLength(10);
    expect(await harness.deliveries(endpoint.id)).toMatchObject([
      { status: 'EXHAUSTED', attempts: 10, lastError: 'REDIRECT' },
    ]);
    // Three days and a bit: the endpoint itself is not given up yet.
    expect(await harness.endpoint(endpoint.id)).toMatchObject({ status: 'ENABLED' });
  });

  it('honours Retry-After up to twice the planned wait', async () => {
    const endpoint = await harness.addEndpoint(receiver.url);
    await harness.record('pay_a');
    receiver.answer = (_request, response) =>
      response.writeHead(429, { 'retry-after': '3600' }).end();
    expect(await harness.drain(endpoint.id)).toMatchObject({ kind: 'DUE', waitMs: 10_000 });
  });

  it('looks up the endpoint again for every batch: a deleted one gets nothing more', async () => {
    const endpoint = await harness.addEndpoint(receiver.url);
    await harness.record('pay_a');
    await harness.db.write(harness.scope, (tx) =>
      deleteEndpoint(tx, harness.scope, endpoint.id, harness.clock.now()),
    );
    expect(await harness.drain(endpoint.id)).toEqual({ kind: 'GONE' });
    await harness.record('pay_b');
    expect(await harness.drain(endpoint.id)).toEqual({ kind: 'GONE' });
    expect(receiver.received).toEqual([]);
  });

  it('a slow or failing endpoint leaves the quick queue after one attempt', async () => {
    const endpoint = await harness.addEndpoint(receiver.url);
    await harness.recordAll(
      Array.from({ length: 50 }, (_none, n) => harness.draftOf(`pay_${String(n)}`, 1)),
    );
    respond(500);
    const quick = { isSlowQueue: false };
    expect(await harness.drain(endpoint.id, quick)).toMatchObject({ waitMs: 0, isSlow: true });
    // No more than what was on its way when the first answer came.
    expect(receiver.received.length).toBeLessThanOrEqual(16);
    const before = receiver.received.length;
    expect(await harness.drain(endpoint.id, quick)).toMatchObject({ waitMs: 0, isSlow: true });
    expect(receiver.received).toHaveLength(before);
    respond(200);
    await harness.drain(endpoint.id);
    // Those that had failed went out again at once.
    expect(receiver.received).toHaveLength(50 + before);
    const rows = await harness.deliveries(endpoint.id);
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['DELIVERED']));
  });

  it('a run that is told to end finishes what is under way and says that more is due', async () => {
    const endpoint = await harness.addEndpoint(receiver.url);
    for (let n = 0; n < 20; n++) await harness.record(`pay_${String(n)}`);
    const stop = new AbortController();
    receiver.answer = (_request, response) => {
      stop.abort();
      response.writeHead(204).end();
    };
    expect(await harness.drain(endpoint.id, { signal: stop.signal })).toMatchObject({
      kind: 'DUE',
      waitMs: 0,
    });
    const rows = await harness.deliveries(endpoint.id);
    const delivered = rows.filter((row) => row.status === 'DELIVERED');
    expect(delivered.length).toBe(receiver.received.length);
    expect(delivered.length).toBeLessThan(20);
  });
});

describe('an endpoint that is disabled', () => {
  it('by 410: at once, its events kept, and the others are told', async () => {
    const other = await startReceiver();
    try {
      const endpoint = await harness.addEndpoint(receiver.url);
      const watcher = await harness.addEndpoint(other.url, ['webhook_endpoint.*']);
      await harness.record('pay_a');
      await harness.record('pay_b');
      harness.wakes.length = 0;
      respond(410);
      expect(await harness.drain(endpoint.id)).toEqual({ kind: 'GONE' });
      expect(await harness.drain(endpoint.id)).toEqual({ kind: 'GONE' });
      expect(await harness.endpoint(endpoint.id)).toMatchObject({ status: 'DISABLED', version: 2 });
      const kept = await harness.deliveries(endpoint.id);
      expect(kept.map((row) => row.status)).toEqual(['PENDING', 'PENDING']);
      expect(harness.wakes).toEqual([watcher.id]);
      await harness.drain(watcher.id);
      const told = JSON.parse(other.received[0]?.body ?? '') as object;
      expect(told).toMatchObject({
        type: 'webhook_endpoint.disabled',
        resource: { id: endpoint.id, version: 2 },
        data: { status: 'DISABLED', reason: 'RECEIVER_GONE' },
      });
      expect(other.received[0]?.body).not.toContain(receiver.url);
    } finally {
      await other.close();
    }
  });

  it('by four days of nothing but failures', async () => {
    const endpoint = await harness.addEndpoint(receiver.url);
    respond(500);
    for (let day = 0; day <= 4; day++) {
      await harness.record(`pay_${String(day)}`);
      await harness.drain(endpoint.id);
      const status = day < 4 ? 'ENABLED' : 'DISABLED';
      expect(await harness.endpoint(endpoint.id), `day ${String(day)}`).toMatchObject({ status });
      harness.clock.advance(24 * 3_600_000);
    }
  });

  it('not where one success lies between', async () => {
    const endpoint = await harness.addEndpoint(receiver.url);
    for (let day = 0; day <= 6; day++) {
      respond(day === 3 ? 200 : 500);
      await harness.record(`pay_${String(day)}`);
      await harness.drain(endpoint.id);
      harness.clock.advance(24 * 3_600_000);
    }
    expect(await harness.endpoint(endpoint.id)).toMatchObject({ status: 'ENABLED' });
  });
});

describe('first deliveries of one resource', () => {
  it('arrive in version order, eight at a time, whatever fails', async () => {
    const endpoint = await harness.addEndpoint(receiver.url);
    // Versions of one resource lie side by side: sent as they lie, eight would go out at once.
    await harness.recordAll(
      Array.from({ length: 144 }, (_none, n) =>
        harness.draftOf(`pay_${String(Math.floor(n / 12))}`, 1 + (n % 12)),
      ),
    );
    let open = 0;
    let openMax = 0;
    receiver.answer = (request, response) => {
      openMax = Math.max(openMax, ++open);
      // Uneven by content, so that the order is not an accident of equal times.
      setTimeout(
        () => {
          open--;
          response.writeHead(request.id.charCodeAt(29) % 5 === 0 ? 500 : 200).end();
        },
        request.id.charCodeAt(28) % 7,
      );
    };
    await harness.drain(endpoint.id);
    expect(openMax).toBeGreaterThan(1);
    expect(openMax).toBeLessThanOrEqual(8);
    const versions = new Map<string, number[]>();
    const seen = new Set<string>();
    for (const one of receiver.received) {
      if (seen.has(one.id)) continue;
      seen.add(one.id);
      const { resource } = JSON.parse(one.body) as { resource: { id: string; version: number } };
      versions.set(resource.id, [...(versions.get(resource.id) ?? []), resource.version]);
    }
    expect(versions.size).toBe(12);
    const inOrder = Array.from({ length: 12 }, (_, index) => index + 1);
    for (const order of versions.values()) expect(order).toEqual(inOrder);
  });

  it('a clock that runs ahead elsewhere does not let a later version overtake', async () => {
    const endpoint = await harness.addEndpoint(receiver.url);
    const { db, scope, draftOf } = harness;
    const ahead = new Date(harness.clock.now().getTime() + 60_000);
    await db.write(scope, (tx) => recordEvent(tx, scope, draftOf('pay_a', 1), ahead));
    await harness.record('pay_a', 2);
    await harness.drain(endpoint.id);
    const sent = receiver.received.map(
      (one) => (JSON.parse(one.body) as { resource: { version: number } }).resource.version,
    );
    expect(sent).toEqual([1, 2]);
  });
});

describe('an event that commits late', () => {
  it('is waited for where its writer relies on the wake that the drain takes down', async () => {
    const endpoint = await harness.addEndpoint(receiver.url);
    await harness.record('pay_early');
    harness.wakes.length = 0;
    const late = await harness.recordLate('pay_late');
    const drained = harness.drain(endpoint.id);
    await harness.waitForBlockedLock();
    await late.commit();
    expect(await drained).toEqual({ kind: 'IDLE', isSlow: false });
    expect(harness.wakes).toEqual([]);
    expect(receiver.received).toHaveLength(2);
  });
});

describe('a crash between sending and recording', () => {
  it('sends again under the same id and counts on', async () => {
    const endpoint = await harness.addEndpoint(receiver.url);
    await harness.record('pay_a');
    const { db } = harness.drainDeps;
    const dying = {
      ...db,
      alone: (scope: Scope, text: string, values: Parameters<typeof db.alone>[2]) =>
        text.includes('record_batch_in_webhook_drain')
          ? Promise.reject(new Error('the worker died'))
          : db.alone<never>(scope, text, values),
    };
    await expect(harness.drain(endpoint.id, {}, { db: dying })).rejects.toThrow('the worker died');
    expect(await harness.deliveries(endpoint.id)).toMatchObject([{ attempts: 0 }]);
    await harness.drain(endpoint.id);
    expect(receiver.received).toHaveLength(2);
    expect(receiver.received[1]?.id).toBe(receiver.received[0]?.id);
    expect(await harness.deliveries(endpoint.id)).toMatchObject([
      { status: 'DELIVERED', attempts: 1 },
    ]);
  });
});

describe('the limits of where events go', () => {
  it('are judged at every send: what was allowed at save may not be any more', async () => {
    const endpoint = await harness.addEndpoint(receiver.url);
    await harness.record('pay_a');
    await harness.drain(endpoint.id, {}, { allowLoopbackInTest: false });
    expect(await harness.deliveries(endpoint.id)).toMatchObject([{ lastError: 'URL_REFUSED' }]);
    expect(receiver.received).toEqual([]);
  });

  it('a name that turned inward after save is refused at the socket', async () => {
    const named = receiver.url.replace('http://127.0.0.1', 'https://hooks.example.com');
    const endpoint = await harness.addEndpoint(named);
    await harness.record('pay_a');
    const openClient: typeof openWebhookClient = (options) =>
      openWebhookClient({ ...options, resolve: () => Promise.resolve(['127.0.0.1']) });
    await harness.drain(endpoint.id, {}, { openClient, allowLoopbackInTest: false });
    expect(await harness.deliveries(endpoint.id)).toMatchObject([{ lastError: 'ADDRESS_REFUSED' }]);
    expect(receiver.received).toEqual([]);
  });
});
