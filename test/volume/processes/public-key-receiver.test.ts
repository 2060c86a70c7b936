import { describe, expect, it } from 'vitest';
import { freePort } from '../../../src/cli/embedded/ports.ts';
import { until } from '../../support/until.ts';
import { startEndpointHarness } from '../../support/webhooks/endpoint-harness.ts';
import { PUBLIC_KEY_RECEIVER } from '../../support/webhooks/languages.ts';

describe('the receiver that holds a public key', () => {
  it('takes what is signed with a key of the endpoint, and asks for the keys once a minute at most', async () => {
    const harness = await startEndpointHarness();
    let asked = 0;
    harness.app.server.prependListener('request', (request: { url?: string }) => {
      if (request.url?.startsWith('/.well-known/webhook-keys/') === true) asked += 1;
    });
    const api = await harness.app.listen({ host: '127.0.0.1', port: 0 });
    const port = await freePort();
    const { id } = await harness.addEndpoint({ asymmetric: true, types: ['payment.updated'] });
    const keysUrl = `${api}/.well-known/webhook-keys/${id}`;
    let resources = 0;
    const deliver = async () => {
      await harness.record(`pay_${String((resources += 1))}`);
      await harness.drain(id);
      const list = await harness.call('GET', `/webhook-endpoints/${id}/deliveries?limit=1`);
      return (list.json['data'] as { lastStatusCode: number }[])[0]?.lastStatusCode;
    };
    const rotate = (overlapHours: number) =>
      harness.call('POST', `/webhook-endpoints/${id}/rotate-secret`, { overlapHours });
    /** As the engine signs it, from a receiver that keeps it. */
    const capture = async () => {
      await harness.call('PATCH', `/webhook-endpoints/${id}`, { url: harness.receiver.url });
      harness.receiver.received.splice(0);
      await deliver();
      const one = harness.receiver.received.at(-1);
      if (one === undefined) throw new Error('nothing was received');
      await harness.call('PATCH', `/webhook-endpoints/${id}`, {
        url: `http://127.0.0.1:${String(port)}/`,
      });
      return one;
    };
    const genuine = await capture();
    const post = async (change: Partial<typeof genuine>) => {
      const one = { ...genuine, ...change };
      const headers = {
        'webhook-id': one.id,
        'webhook-timestamp': one.timestamp,
        'webhook-signature': one.signature,
      };
      const url = `http://127.0.0.1:${String(port)}/`;
      return (await fetch(url, { method: 'POST', headers, body: one.body })).status;
    };

    const start = async () => {
      const receiver = PUBLIC_KEY_RECEIVER.start({ port, secrets: '', keysUrl });
      await until('the receiver', async () => {
        if (receiver.hasEnded()) throw new Error('the receiver has ended');
        return fetch(`http://127.0.0.1:${String(port)}/`).catch(() => null);
      });
      return receiver;
    };
    let receiver = await start();
    try {
      const [v1 = '', v1a = ''] = genuine.signature.split(' ');
      expect([v1.slice(0, 3), v1a.slice(0, 4)]).toEqual(['v1,', 'v1a,']);
      expect(await post({})).toBe(204);
      expect(await post({ signature: v1a })).toBe(204);
      expect(await post({ signature: v1 })).toBe(401);
      expect(await post({ signature: v1.replace('v1,', 'v1a,') })).toBe(401);
      expect(await post({ signature: '' })).toBe(401);
      expect(await post({ body: `${genuine.body} ` })).toBe(401);
      expect(await post({ id: `${genuine.id}x` })).toBe(401);
      const older = String(Number(genuine.timestamp) - 1);
      expect(await post({ timestamp: older })).toBe(401);
      const foreign = await harness.addEndpoint({ asymmetric: true, types: ['payment.updated'] });
      harness.receiver.received.splice(0);
      await harness.record('pay_foreign');
      await harness.drain(foreign.id);
      expect(await post({ ...harness.receiver.received.at(-1) })).toBe(401);
      expect(asked).toBe(1);

      expect(await deliver()).toBe(204);
      await rotate(24);
      // Signed with both pairs: the key that it has is one of them.
      expect(await deliver()).toBe(204);
      await rotate(0);
      // It has asked less than a minute ago.
      expect(await deliver()).toBe(401);
      expect(asked).toBe(1);
      await receiver.stop();
      receiver = await start();
      expect(await deliver()).toBe(204);
      expect(asked).toBe(2);
    } finally {
      await receiver.stop();
      await harness.close();
    }
  });
});
