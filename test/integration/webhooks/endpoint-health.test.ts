import { beforeAll, beforeEach, expect, it } from 'vitest';
import { startEndpointHarness } from '../../support/webhooks/endpoint-harness.ts';

let harness: Awaited<ReturnType<typeof startEndpointHarness>>;
beforeAll(async () => {
  harness = await startEndpointHarness();
  return () => harness.close();
});
beforeEach(() => harness.beginTest());

const health = async (id: string) =>
  (await harness.call('GET', `/webhook-endpoints/${id}`)).json['health'] as Record<string, unknown>;

it('the delay is that of first attempts: retries and what is sent again long after do not count', async () => {
  const { id } = await harness.addEndpoint();
  expect(await health(id)).toEqual({ lastSuccessAt: null, backlog: 0, medianDelayMs: null });
  harness.receiver.answer = (_request, response) => response.writeHead(500).end();
  await harness.record('pay_a', 1);
  harness.clock.advance(700);
  await harness.drain(id);
  expect(await health(id)).toEqual({ lastSuccessAt: null, backlog: 1, medianDelayMs: 700 });
  harness.receiver.answer = (_request, response) => response.writeHead(204).end();
  harness.clock.advance(5_000);
  await harness.drain(id);
  const lastSuccessAt = harness.clock.now().toISOString();
  expect(await health(id)).toEqual({ lastSuccessAt, backlog: 0, medianDelayMs: 700 });

  const month = 30 * 24 * 3_600_000;
  const from = new Date(harness.clock.now().getTime() - 60_000).toISOString();
  harness.clock.advance(month);
  const to = harness.clock.now().toISOString();
  await harness.call('POST', `/webhook-endpoints/${id}/replay`, { from, to });
  await harness.drain(id);
  // The replayed one was due when it was queued: 0 ms and 700 ms.
  expect(await health(id)).toMatchObject({ medianDelayMs: 350, backlog: 0 });
});
