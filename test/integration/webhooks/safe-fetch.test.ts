import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  openWebhookClient,
  type WebhookClientOptions,
} from '../../../src/modules/webhooks/safe-fetch.ts';
import { urlPolicyFor } from '../../../src/modules/webhooks/url-rules.ts';
import { startReceiver, type Receiver } from '../../support/webhooks/receiver.ts';

const clock = { now: () => new Date() };
const OPEN = urlPolicyFor('test', true);
const LIVE = urlPolicyFor('live', true);
const HEADERS = { 'webhook-id': 'evt_1', 'content-type': 'application/json' };

let receiver: Receiver;
const closers: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  receiver = await startReceiver();
  closers.push(() => receiver.close());
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function post(url: string, options: Partial<WebhookClientOptions> = {}) {
  const client = openWebhookClient({ policy: OPEN, clock, connectionsMax: 2, ...options });
  try {
    return await client.post(url, HEADERS, '{"n":1}');
  } finally {
    await client.close();
  }
}

/** A server that speaks raw bytes; its sockets die with it. */
async function listen(onSocket: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

describe('sending one webhook', () => {
  it('posts the body as it is and answers the status', async () => {
    expect(await post(receiver.url)).toMatchObject({ kind: 'ANSWERED', status: 204 });
    expect(receiver.received).toMatchObject([
      { id: 'evt_1', body: '{"n":1}', contentType: 'application/json', path: '/hooks' },
    ]);
  });

  it('does not follow a redirect, inward least of all', async () => {
    const inward = await startReceiver();
    closers.push(() => inward.close());
    receiver.answer = (_request, response) => {
      response.writeHead(307, { location: inward.url }).end();
    };
    expect(await post(receiver.url)).toMatchObject({ kind: 'ANSWERED', status: 307 });
    expect(inward.received).toEqual([]);
  });

  it('reads Retry-After', async () => {
    receiver.answer = (_request, response) =>
      response.writeHead(503, { 'retry-after': '17' }).end();
    expect(await post(receiver.url)).toMatchObject({ status: 503, retryAfterSeconds: 17 });
  });

  it('a receiver that never answers is a TIMEOUT', async () => {
    receiver.answer = () => {};
    const result = await post(receiver.url, { timeoutMs: 200 });
    expect(result).toMatchObject({ kind: 'FAILED', code: 'TIMEOUT' });
    // The limit of every attempt is 15 s.
    expect(result.durationMs).toBeLessThan(15_000);
  });

  it('a receiver that takes the connection and says nothing is a TIMEOUT', async () => {
    const port = await listen(() => {});
    expect(await post(`http://127.0.0.1:${String(port)}/`, { timeoutMs: 200 })).toMatchObject({
      code: 'TIMEOUT',
    });
  });

  it('an endless body is cut after 64 KiB, and a success without an end is none', async () => {
    let written = 0;
    const cut = new Promise<void>((resolve) => {
      receiver.answer = (_request, response) => {
        response.writeHead(200);
        response.on('close', resolve);
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(16_384))) written += 16_384;
          if (!response.destroyed) response.once('drain', more);
        };
        more();
      };
    });
    const result = await post(receiver.url);
    expect(result).toMatchObject({ kind: 'FAILED', code: 'ANSWER_TOO_LONG', status: 200 });
    expect(result).toMatchObject({ answer: '\0'.repeat(4_096) });
    await cut;
    // What the sockets' buffers hold comes on top of what was read.
    expect(written).toBeLessThan(16 * 1_024 * 1_024);
  });

  it('a body that trickles holds the slot until the deadline and no longer', async () => {
    receiver.answer = (_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => {
        clearInterval(timer);
      });
    };
    const result = await post(receiver.url, { timeoutMs: 300 });
    expect(result).toMatchObject({ kind: 'FAILED', code: 'TIMEOUT', status: 200 });
    expect(result.durationMs).toBeGreaterThanOrEqual(290);
  });

  it('tells refused, reset, TLS and garbage apart', async () => {
    const closed = await startReceiver();
    await closed.close();
    expect(await post(closed.url)).toMatchObject({ kind: 'FAILED', code: 'CONNECT' });

    const resetting = await listen((socket) => socket.resetAndDestroy());
    expect(await post(`http://127.0.0.1:${String(resetting)}/`)).toMatchObject({ code: 'RESET' });

    const https = receiver.url.replace('http:', 'https:');
    expect(await post(https)).toMatchObject({ code: 'TLS' });

    const garbage = await listen((socket) => socket.end('not http at all\r\n\r\n'));
    expect(await post(`http://127.0.0.1:${String(garbage)}/`)).toMatchObject({
      code: 'BAD_ANSWER',
    });
  });

  it('a name that does not resolve is a DNS failure', async () => {
    const resolve = async () => Promise.reject(new Error('no such name'));
    expect(await post('http://hooks.example.com/', { resolve })).toMatchObject({ code: 'DNS' });
  });
});

describe('where the socket goes', () => {
  const named = () => `http://hooks.example.com:${String(receiver.port)}/hooks`;
  const strict = { isLive: false, allowLoopback: false };
  /** Lets plain http through, so that only the address decides. */
  const client = (resolve: WebhookClientOptions['resolve']) => ({
    resolve,
    policy: strict,
  });

  it('is decided by the addresses that a name has', async () => {
    const result = await post(named(), { resolve: () => Promise.resolve(['127.0.0.1']) });
    expect(result).toMatchObject({ kind: 'ANSWERED', status: 204 });
    const https = named().replace('http:', 'https:');
    const inward = await post(
      https,
      client(() => Promise.resolve(['127.0.0.1'])),
    );
    expect(inward).toMatchObject({ kind: 'FAILED', code: 'ADDRESS_REFUSED' });
    const mixed = await post(
      https,
      client(() => Promise.resolve(['8.8.8.8', '10.0.0.1'])),
    );
    expect(mixed).toMatchObject({ code: 'ADDRESS_REFUSED' });
    const metadata = await post(named(), { resolve: () => Promise.resolve(['169.254.169.254']) });
    expect(metadata).toMatchObject({ code: 'ADDRESS_REFUSED' });
    expect(receiver.received).toHaveLength(1);
  });

  it.each([
    ['10.0.0.1'],
    ['192.168.1.1'],
    ['fd12::1'],
    ['127.0.0.1', '8.8.8.8'],
    ['127.0.0.1', '10.0.0.1'],
  ])(
    'is nothing private but this machine, where loopback is allowed: %s %s',
    async (...addresses) => {
      const resolve = () => Promise.resolve(addresses);
      expect(await post(named(), { resolve })).toMatchObject({ code: 'ADDRESS_REFUSED' });
      expect(receiver.received).toEqual([]);
    },
  );

  it('a name that turns inward between two look-ups is refused at the socket', async () => {
    const answers = [['8.8.8.8'], ['127.0.0.1']];
    let asked = 0;
    const resolve = () => Promise.resolve(answers[Math.min(asked++, 1)] ?? []);
    // What the check at save would have seen.
    expect(await resolve()).toEqual(['8.8.8.8']);
    const https = named().replace('http:', 'https:');
    expect(await post(https, client(resolve))).toMatchObject({ code: 'ADDRESS_REFUSED' });
    expect(asked).toBe(2);
    expect(receiver.received).toEqual([]);
  });

  it.each(['https://127.0.0.1/', 'https://[::1]/', 'https://0x7f.1/', 'http://127.0.0.1/'])(
    '%s in the URL itself is refused at send in live',
    async (url) => {
      expect(await post(url, { policy: LIVE })).toMatchObject({ code: 'URL_REFUSED' });
    },
  );
});
