import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RETRY_DELAYS_MS } from '../../../src/domain/webhooks/retry-schedule.ts';
import { startEndpointHarness } from '../../support/webhooks/endpoint-harness.ts';

let harness: Awaited<ReturnType<typeof startEndpointHarness>>;
beforeAll(async () => {
  harness = await startEndpointHarness();
  return () => harness.close();
});
beforeEach(() => harness.beginTest());

const DAY_MS = 24 * 3_600_000;
const respond = (status: number) => {
  harness.receiver.answer = (_request, response) => response.writeHead(status).end();
};
const newestEvent = async (): Promise<string> => {
  const [row] = await harness.rows<{ id: string }>(
    'SELECT id FROM events ORDER BY seq DESC LIMIT 1',
  );
  return row?.id ?? '';
};
const redeliver = (eventId: string, body: object = {}) =>
  harness.call('POST', `/events/${eventId}/redeliver`, body);
const delivery = async (id: string, eventId: string) =>
  (await harness.call('GET', `/webhook-endpoints/${id}/deliveries/${eventId}`)).json;

describe('an event that is sent again', () => {
  it('and has not been sent yet is sent once, in its turn', async () => {
    const { id } = await harness.addEndpoint();
    await harness.record('pay_a', 1);
    const eventId = await newestEvent();
    await harness.record('pay_a', 2);
    expect((await redeliver(eventId)).json).toMatchObject({ webhookEndpointIds: [] });
    await harness.drain(id);
    expect(harness.takeReceived()).toEqual(['pay_a/1', 'pay_a/2']);
  });

  it('and waits for another attempt goes out now, with all attempts before it', async () => {
    const { id } = await harness.addEndpoint();
    respond(500);
    await harness.record('pay_a', 1);
    await harness.drain(id);
    const eventId = await newestEvent();
    expect((await redeliver(eventId)).json).toMatchObject({ webhookEndpointIds: [id] });
    await harness.drain(id);
    expect(harness.takeReceived()).toEqual(['pay_a/1', 'pay_a/1']);
    expect(await delivery(id, eventId)).toMatchObject({
      ...{ status: 'PENDING', attempts: 1, attemptHistory: [{ number: 1 }, { number: 1 }] },
    });
  });

  it('and is out of attempts is PENDING, then DELIVERED', async () => {
    const { id } = await harness.addEndpoint();
    respond(500);
    await harness.record('pay_a', 1);
    const eventId = await newestEvent();
    // By the schedule alone, past the probes in between.
    for (const delayMs of RETRY_DELAYS_MS) {
      harness.clock.advance(delayMs);
      await harness.drain(id);
    }
    expect(await delivery(id, eventId)).toMatchObject({ status: 'EXHAUSTED', attempts: 10 });
    respond(204);
    await redeliver(eventId);
    expect(await delivery(id, eventId)).toMatchObject({ status: 'PENDING', attempts: 0 });
    await harness.drain(id);
    expect(await delivery(id, eventId)).toMatchObject({
      ...{ status: 'DELIVERED', attempts: 1, lastError: null },
    });
  });

  it('while an attempt is under way is not put off by the failure of that attempt', async () => {
    const { id } = await harness.addEndpoint();
    respond(500);
    await harness.record('pay_a', 1);
    await harness.drain(id);
    const eventId = await newestEvent();
    harness.clock.advance(5_000);
    let asked = 0;
    harness.receiver.answer = (_request, response) => {
      asked += 1;
      if (asked > 1) response.writeHead(204).end();
      else void redeliver(eventId).then(() => response.writeHead(500).end());
    };
    await harness.drain(id);
    expect(asked).toBe(2);
    expect(await delivery(id, eventId)).toMatchObject({ status: 'DELIVERED' });
  });

  it('goes to an endpoint that was not subscribed where that is named, and only then', async () => {
    const { id } = await harness.addEndpoint({ types: ['kyc.*'] });
    await harness.record('pay_a', 1);
    const eventId = await newestEvent();
    expect((await redeliver(eventId)).json).toMatchObject({ webhookEndpointIds: [] });
    const named = await redeliver(eventId, { webhookEndpointId: id });
    expect(named.json).toMatchObject({ webhookEndpointIds: [id] });
    await harness.drain(id);
    expect(harness.takeReceived()).toEqual(['pay_a/1']);
  });

  it('and is older than 90 days is a 404, as one that never was', async () => {
    const { id } = await harness.addEndpoint();
    await harness.record('pay_a', 1);
    await harness.drain(id);
    harness.takeReceived();
    const eventId = await newestEvent();
    harness.clock.advance(90 * DAY_MS + 1);
    const without = ({
      status,
      json: { requestId: _, ...json },
    }: Awaited<ReturnType<typeof redeliver>>) => ({ status, json });
    const old = without(await redeliver(eventId));
    expect(old).toMatchObject({ status: 404, json: { error: 'not_found' } });
    expect(old).toEqual(without(await redeliver('evt_01k6b7q0e8f1htx9n3r5p7v2ab')));
    await harness.drain(id);
    expect(harness.takeReceived()).toEqual([]);
  });
});

describe('what is queued for an endpoint', () => {
  it('is sent also where its types do not name it any more; what happens later is not', async () => {
    const { id } = await harness.addEndpoint();
    await harness.record('pay_a', 1);
    await harness.call('PATCH', `/webhook-endpoints/${id}`, { types: ['kyc.*'] });
    await harness.record('pay_a', 2);
    await harness.drain(id);
    expect(harness.takeReceived()).toEqual(['pay_a/1']);
  });

  it('goes to the URL that it has when it is sent, under the secret of that moment', async () => {
    const { id } = await harness.addEndpoint({
      ...{ url: 'http://127.0.0.1:9/hooks', types: ['payment.*'] },
    });
    await harness.record('pay_a', 1);
    const { url } = harness.receiver;
    await harness.call('PATCH', `/webhook-endpoints/${id}`, { url });
    const rotated = await harness.call('POST', `/webhook-endpoints/${id}/rotate-secret`, {
      overlapHours: 0,
    });
    await harness.drain(id);
    harness.receiver.verifyAll(String(rotated.json['secret']));
    expect(harness.takeReceived()).toEqual(['pay_a/1']);
  });
});

describe('deliveries', () => {
  it('are listed by status and by the resource that they tell of', async () => {
    const { id } = await harness.addEndpoint({ types: ['payment.*'] });
    await harness.record('pay_a', 1);
    await harness.drain(id);
    respond(500);
    await harness.record('pay_a', 2);
    await harness.record('pay_b', 1);
    await harness.drain(id);
    const listed = async (query: string) => {
      const { json } = await harness.call('GET', `/webhook-endpoints/${id}/deliveries?${query}`);
      const rows = json['data'] as { resource: { id: string; version: number } }[];
      return rows.map(({ resource }) => `${resource.id}/${String(resource.version)}`);
    };
    expect(await listed('')).toEqual(['pay_b/1', 'pay_a/2', 'pay_a/1']);
    expect(await listed('resourceId=pay_a')).toEqual(['pay_a/2', 'pay_a/1']);
    expect(await listed('resourceId=pay_a&status=PENDING')).toEqual(['pay_a/2']);
    expect(await listed('status=DELIVERED')).toEqual(['pay_a/1']);
    expect(await listed('status=EXHAUSTED')).toEqual([]);
  });
});
