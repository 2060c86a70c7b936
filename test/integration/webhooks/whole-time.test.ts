import { afterEach, expect, it } from 'vitest';
import { openWebhookClient } from '../../../src/modules/webhooks/safe-fetch.ts';
import {
  startRawReceiver,
  trickle,
  type RawReceiver,
} from '../../support/webhooks/raw-receiver.ts';

const receivers: RawReceiver[] = [];
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});

const BODY = '{"resource":{"id":"pay_a"}}';

/** One attempt as production makes it, with its own limits, and what was still open behind it. */
async function attempt(scheme: string, act: (receiver: RawReceiver) => void) {
  const receiver = await startRawReceiver();
  receivers.push(receiver);
  receiver.onRequest = () => {};
  act(receiver);
  const policy = { isLive: false, allowLoopback: true };
  const client = openWebhookClient({ policy, clock: { now: () => new Date() }, connectionsMax: 1 });
  const result = await client.post(receiver.url.replace('http', scheme), {}, BODY);
  await client.close();
  await expect.poll(() => receiver.open.size).toBe(0);
  return result;
}

it('an attempt takes 15 seconds at the most, in whichever phase the receiver stalls', async () => {
  const results = await Promise.all([
    attempt('http', () => {}),
    attempt('https', () => {}),
    attempt('http', (receiver) => {
      receiver.onRequest = (socket) => {
        trickle(socket, 'HTTP/1.1 102 Processing\r\n\r\n');
      };
    }),
    attempt('http', (receiver) => {
      receiver.onRequest = (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nA: ');
        trickle(socket, 'a');
      };
    }),
    attempt('http', (receiver) => {
      receiver.onRequest = (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        trickle(socket, 'a');
      };
    }),
  ]);
  for (const result of results) {
    expect(result).toMatchObject({ kind: 'FAILED', code: 'TIMEOUT' });
    expect(result.durationMs).toBeLessThan(25_000);
  }
  // The handshake has a limit of its own.
  expect(results[1].durationMs).toBeLessThan(results[0].durationMs);
  expect(results[0].durationMs).toBeGreaterThanOrEqual(14_900);
});
