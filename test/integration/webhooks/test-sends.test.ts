import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { ServerResponse } from 'node:http';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { openWebhookClient } from '../../../src/modules/webhooks/safe-fetch.ts';
import { testEndpoint } from '../../../src/modules/webhooks/test-endpoint.ts';
import { startEndpointHarness } from '../../support/webhooks/endpoint-harness.ts';

let harness: Awaited<ReturnType<typeof startEndpointHarness>>;
beforeAll(async () => {
  harness = await startEndpointHarness();
  return () => harness.close();
});
beforeEach(() => harness.beginTest());

it('an address of the network inside answers the same, whether something listens there or not', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // Kept while this machine was allowed; as where it is not, or a name has moved inside since.
  const tell = async (url: string) => {
    const { id } = await harness.addEndpoint({ url });
    const deps = { ...harness, openClient: openWebhookClient, allowLoopbackInTest: false };
    const { statusCode, error, answer, delivered } = await testEndpoint(deps, harness.scope, {
      ...{ id, type: 'ping' },
    });
    return { statusCode, error, answer, delivered };
  };
  const nothing = { statusCode: null, answer: null, delivered: false };
  try {
    for (const open of [port, 9]) {
      const named = await tell(`https://localhost:${String(open)}/`);
      expect(named).toEqual({ ...nothing, error: 'ADDRESS_REFUSED' });
      const literal = await tell(`https://127.0.0.1:${String(open)}/`);
      expect(literal).toEqual({ ...nothing, error: 'URL_REFUSED' });
    }
    expect(connections).toBe(0);
  } finally {
    server.close();
  }
});

it('four tests at a time hold sockets; a fifth is a 429, and let in once one is over', async () => {
  const { id } = await harness.addEndpoint();
  const path = `/webhook-endpoints/${id}/test`;
  const waiting: ServerResponse[] = [];
  harness.receiver.answer = (_request, response) => void waiting.push(response);
  const under = Array.from({ length: 4 }, () => harness.call('POST', path, {}));
  await expect.poll(() => waiting.length).toBe(4);
  const refused = await harness.call('POST', path, {});
  expect(refused).toMatchObject({ status: 429, json: { error: 'rate_limited' } });
  expect(refused.headers['retry-after']).toBe('15');
  harness.receiver.answer = (_request, response) => response.writeHead(204).end();
  for (const response of waiting) response.writeHead(204).end();
  expect((await Promise.all(under)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await harness.call('POST', path, {})).json).toMatchObject({ delivered: true });
});

it('an endpoint that is disabled can be tested before it is enabled', async () => {
  const { id } = await harness.addEndpoint();
  await harness.call('PATCH', `/webhook-endpoints/${id}`, { status: 'DISABLED' });
  const tested = await harness.call('POST', `/webhook-endpoints/${id}/test`, {});
  expect(tested.json).toMatchObject({ delivered: true, type: 'ping' });
  expect((await harness.call('GET', `/webhook-endpoints/${id}`)).json).toMatchObject({
    ...{ status: 'DISABLED', version: 2 },
  });
});
