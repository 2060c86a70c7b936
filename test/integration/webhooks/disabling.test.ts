import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startEndpointHarness } from '../../support/webhooks/endpoint-harness.ts';

let harness: Awaited<ReturnType<typeof startEndpointHarness>>;
beforeAll(async () => {
  harness = await startEndpointHarness();
  return () => harness.close();
});
beforeEach(() => harness.beginTest());

const DAY_MS = 24 * 3_600_000;

describe('the moment at which an endpoint is disabled', () => {
  it('waits for events that are being written: they are sent once it is enabled, each once', async () => {
    const { id } = await harness.addEndpoint({ types: ['payment.*'] });
    const late = await harness.recordLate('pay_late');
    const disabling = harness.turnInTheEnd(id, 'DISABLED');
    await harness.waitForBlockedLock();
    await late.commit();
    expect((await disabling).status).toBe(200);
    await harness.record('pay_after');
    await harness.turn(id, 'ENABLED');
    await harness.drain(id);
    expect(harness.takeReceived()).toEqual(['pay_late/1', 'pay_after/1']);
  });

  it('is a 503 and no change where a writer does not end', async () => {
    const { id } = await harness.addEndpoint();
    const late = await harness.recordLate('pay_late');
    const refused = await harness.turn(id, 'DISABLED');
    expect(refused).toMatchObject({ status: 503, json: { error: 'service_unavailable' } });
    expect(refused.headers['retry-after']).toBeDefined();
    await late.commit();
    expect((await harness.call('GET', `/webhook-endpoints/${id}`)).json).toMatchObject({
      ...{ status: 'ENABLED', version: 1 },
    });
  });
});

describe('four days of nothing but failures', () => {
  it('disable, with the reason in the resource and in one event; a success between starts them anew', async () => {
    const { id } = await harness.addEndpoint({ types: ['payment.*'] });
    const fail = () => {
      harness.receiver.answer = (_request, response) => response.writeHead(500).end();
    };
    const path = `/webhook-endpoints/${id}`;
    const failOnDay = async (day: number) => {
      await harness.record(`pay_${String(day)}`);
      await harness.drain(id);
      harness.clock.advance(DAY_MS);
    };
    fail();
    for (let day = 0; day < 3; day += 1) await failOnDay(day);
    harness.receiver.answer = (_request, response) => response.writeHead(204).end();
    await harness.drain(id);
    fail();
    for (let day = 3; day < 7; day += 1) await failOnDay(day);
    expect((await harness.call('GET', path)).json).toMatchObject({ status: 'ENABLED' });
    await failOnDay(7);
    expect((await harness.call('GET', path)).json).toMatchObject({
      ...{ status: 'DISABLED', disabledReason: 'FAILING', version: 2 },
    });
    const events = await harness.call('GET', '/events?type=webhook_endpoint.disabled');
    expect(events.json['data']).toMatchObject([
      {
        data: { id, status: 'DISABLED', reason: 'FAILING' },
        resource: { version: 2 },
        previous: { status: 'ENABLED' },
      },
    ]);
  });

  it('of another URL count for nothing', async () => {
    const { id } = await harness.addEndpoint();
    harness.receiver.answer = (_request, response) => response.writeHead(500).end();
    await harness.record('pay_a');
    await harness.drain(id);
    const path = `/webhook-endpoints/${id}`;
    expect((await harness.call('GET', path)).json['failingSince']).not.toBeNull();
    const url = `${harness.receiver.url}/new`;
    expect((await harness.call('PATCH', path, { url })).json).toMatchObject({ failingSince: null });
  });

  it.each([410, 500])(
    'seen by a batch (%i) do not disable what was changed since',
    async (code) => {
      const { id } = await harness.addEndpoint();
      const path = `/webhook-endpoints/${id}`;
      harness.receiver.answer = (_request, response) => response.writeHead(500).end();
      await harness.record('pay_a');
      await harness.drain(id);
      harness.clock.advance(5 * DAY_MS);
      let moves = 0;
      harness.receiver.answer = (_request, response) => {
        moves += 1;
        const url = `${harness.receiver.url}/new`;
        void harness
          .call('PATCH', path, { url })
          .then(() => response.writeHead(moves === 1 ? code : 204).end());
      };
      await harness.drain(id);
      expect(moves).toBeGreaterThan(0);
      expect((await harness.call('GET', path)).json).toMatchObject({
        ...{ status: 'ENABLED', version: 2, failingSince: null },
      });
    },
  );
});
