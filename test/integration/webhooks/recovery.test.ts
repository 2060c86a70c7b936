import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BATCH_MAX } from '../../../src/db/webhooks/webhook-drain-store.ts';
import { RETRY_DELAYS_MS } from '../../../src/domain/webhooks/retry-schedule.ts';
import {
  createOutageHarness,
  HOUR_MS,
  MINUTE_MS,
  returnsAfter,
} from '../../support/webhooks/outage-harness.ts';
import {
  createWebhookHarness,
  type WebhookHarness,
} from '../../support/webhooks/webhook-harness.ts';

let opened: WebhookHarness;
let outage: Awaited<ReturnType<typeof createOutageHarness>>;
beforeAll(async () => {
  opened = await createWebhookHarness();
});
afterAll(() => opened.close());
beforeEach(async () => {
  outage = await createOutageHarness(opened);
});
afterEach(() => outage.close());

const attemptsListed = async () => {
  const { harness, id } = outage;
  return harness.db.read(harness.scope, (tx) =>
    tx.query<{ number: number; statusCode: number }>(
      `SELECT number, status_code AS "statusCode" FROM webhook_attempts
       WHERE endpoint_id = $1 ORDER BY id`,
      [id],
    ),
  );
};

describe('a receiver that was away', () => {
  it('has everything within a minute of its return, in version order, though nothing new happens', async () => {
    await returnsAfter(opened, HOUR_MS);
  });

  it('has everything as soon as a new event has reached it', async () => {
    const { harness, receiver, id, clock, respond } = outage;
    respond(500);
    await outage.record(30, 4);
    await harness.drain(id);
    // No probe and no retry is due yet.
    clock.advance(4_000);
    respond(204);
    receiver.received.length = 0;
    await harness.record('pay_new');
    expect(await harness.drain(id)).toEqual({ kind: 'IDLE', isSlow: false });
    expect(await outage.statusCounts()).toEqual({ DELIVERED: 121 });
    expect(receiver.received).toHaveLength(121);
    const received = outage.versionsReceived();
    received.delete('pay_new');
    for (const order of received.values()) expect(order).toEqual([1, 2, 3, 4]);
  });

  it('is asked by one event at a time, which costs no attempt of the schedule and is not listed', async () => {
    const { harness, receiver, id, respond } = outage;
    respond(500);
    await outage.record(10, 1);
    const [, second = NaN, third = NaN] = RETRY_DELAYS_MS;
    await outage.pass(second + third - 1);
    // Two attempts of each, and probes every 25 s in between.
    expect(await attemptsListed()).toHaveLength(20);
    expect(receiver.received.length - 20).toBeGreaterThanOrEqual(9);
    expect(receiver.received.length - 20).toBeLessThanOrEqual(13);
    // In turn, so that one event that is never accepted does not hide the return.
    const probes = receiver.received.slice(20, 29).map(({ id: event }) => event);
    expect(new Set(probes).size).toBe(9);
    for (const { attempts } of await harness.deliveries(id)) expect(attempts).toBe(2);
  });

  it('is given the time that it asks for with Retry-After', async () => {
    const { receiver } = outage;
    receiver.answer = (_request, response) =>
      response.writeHead(503, { 'retry-after': '240' }).end();
    await outage.record(1, 1);
    await outage.pass(4 * MINUTE_MS);
    // The second attempt of the schedule goes out after at most ten seconds; no probe before the time.
    expect(receiver.received.length).toBeLessThanOrEqual(2);
  });
});

describe('an event that a receiver never accepts', () => {
  it('is sent on schedule: beside others that are accepted it goes out early twice a minute at most', async () => {
    const { harness, receiver, id, clock } = outage;
    receiver.answer = (request, response) => {
      response.writeHead(request.body.includes('pay_bad') ? 500 : 204).end();
    };
    await harness.recordAll(
      Array.from({ length: 300 }, (_none, n) => harness.draftOf(`pay_bad_${String(n)}`, 1)),
    );
    const isBad = ({ body }: { body: string }) => body.includes('pay_bad');
    for (let n = 0; n < 60; n += 1) {
      await harness.record(`pay_good_${String(n)}`);
      await harness.drain(id);
      clock.advance(2_000);
    }
    const good = receiver.received.filter((one) => !isBad(one));
    expect(good).toHaveLength(60);
    // Two minutes: two attempts of the schedule each, and a batch every half a minute. Whenever one
    // that is accepted comes it would be sixty times all of them.
    const bad = receiver.received.filter(isBad);
    expect(bad.length).toBeGreaterThanOrEqual(2 * 300);
    expect(bad.length).toBeLessThanOrEqual(2 * 300 + 5 * BATCH_MAX);
    const { PENDING, DELIVERED } = await outage.statusCounts();
    expect({ PENDING, DELIVERED }).toEqual({ PENDING: 300, DELIVERED: 60 });
    const kept = await harness.deliveries(id);
    for (const { attempts } of kept) expect(attempts).toBeLessThanOrEqual(2);
  });

  it('keeps to its schedule where the others of its batch are accepted', async () => {
    const { harness, receiver, id, clock } = outage;
    receiver.answer = (request, response) => {
      response.writeHead(request.body.includes('pay_bad') ? 500 : 204).end();
    };
    await harness.record('pay_bad');
    await outage.record(20, 1);
    await harness.drain(id);
    clock.advance(4_000);
    await harness.record('pay_later');
    await harness.drain(id);
    expect(receiver.received.filter(({ body }) => body.includes('pay_bad'))).toHaveLength(1);
  });

  it('goes out early ten times at the most, however often another one is accepted', async () => {
    const { harness, receiver, id, clock } = outage;
    receiver.answer = (request, response) => {
      response.writeHead(request.body.includes('pay_bad') ? 500 : 204).end();
    };
    await harness.record('pay_bad');
    await harness.drain(id);
    for (let n = 0; n < 40; n += 1) {
      clock.advance(40_000);
      await harness.record(`pay_good_${String(n)}`);
      await harness.drain(id);
    }
    const bad = receiver.received.filter(({ body }) => body.includes('pay_bad'));
    const scheduled = (await harness.deliveries(id)).find(({ status }) => status === 'PENDING');
    expect(scheduled?.attempts).toBeGreaterThanOrEqual(3);
    expect(bad).toHaveLength((scheduled?.attempts ?? 0) + 10);
  });

  it('does not hold up the others when the receiver is back', async () => {
    const { harness, receiver, respond } = outage;
    respond(503);
    await harness.record('pay_bad');
    await outage.record(40, 2);
    await outage.pass(10 * MINUTE_MS);
    receiver.answer = (request, response) => {
      response.writeHead(request.body.includes('pay_bad') ? 500 : 204).end();
    };
    await outage.pass(MINUTE_MS);
    expect(await outage.statusCounts()).toEqual({ PENDING: 1, DELIVERED: 80 });
  });
});

describe('an endpoint that is enabled again', () => {
  it('is sent at once what had been put off', async () => {
    const { harness, id, respond } = outage;
    respond(500);
    await outage.record(10, 2);
    await harness.drain(id);
    respond(410);
    await harness.record('pay_last');
    expect(await harness.drain(id)).toEqual({ kind: 'GONE' });
    respond(204);
    await harness.enable(id);
    expect(await harness.drain(id)).toEqual({ kind: 'IDLE', isSlow: false });
    // And the two events that tell of the endpoint itself.
    expect(await outage.statusCounts()).toEqual({ DELIVERED: 23 });
  });
});
