import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWebhookClient } from '../../../../src/modules/webhooks/safe-fetch.ts';
import { createAuthority, type IssuedCertificate } from '../../../support/certificates.ts';

const clock = { now: () => new Date() };
const authority = await createAuthority('an authority');
const stranger = await createAuthority('another authority');
afterAll(() => {
  authority.remove();
  stranger.remove();
});
const ours = await authority.issue('hooks');
const old = await authority.issue('old', undefined, -1);
const elsewhere = await authority.issue('else', [
  { type: 'ip', value: '192.0.2.1' },
  { type: 'dns', value: 'hooks.sample.test' },
]);
const foreign = await stranger.issue('hooks');

async function post(
  server: Server,
  { ca = authority.ca, host = '127.0.0.1', timeoutMs = 15_000 } = {},
) {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket.on('close', () => open.delete(socket)).on('error', () => {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = openWebhookClient({
    ...{ clock, connectionsMax: 1, ca, timeoutMs },
    policy: { isLive: false, allowLoopback: true },
    resolve: () => Promise.resolve(['127.0.0.1']),
  });
  try {
    return await client.post(`https://${host}:${String(port)}/`, {}, '{}');
  } finally {
    await client.close();
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
}

let requests = 0;
/** Answers 204 to whatever comes through the handshake, and counts it. */
const speaking = ({ cert, key }: IssuedCertificate, more: TlsOptions = {}) =>
  createServer({ cert, key, ...more }, (socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      requests += 1;
      socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    });
  }).on('tlsClientError', () => {});

beforeAll(async () => {
  // The certificate that is right: without it, every refusal below would prove nothing.
  expect(await post(speaking(ours))).toMatchObject({ kind: 'ANSWERED', status: 204 });
  expect(requests).toBe(1);
  requests = 0;
});

describe('nothing is sent to a receiver', () => {
  const refusals: [string, () => Server, Parameters<typeof post>[1]][] = [
    ['whose certificate has expired', () => speaking(old), {}],
    [
      'that has the certificate of another host',
      () => speaking(ours),
      { host: 'hooks.sample.test' },
    ],
    ['that has a certificate for another address', () => speaking(elsewhere), {}],
    ['whose authority is not trusted', () => speaking(foreign), {}],
    ['that signed its own certificate', () => speaking(ours), { ca: stranger.ca }],
    [
      'that speaks TLS 1.1 at most',
      () =>
        speaking(ours, {
          minVersion: 'TLSv1',
          maxVersion: 'TLSv1.1',
          ciphers: 'DEFAULT@SECLEVEL=0',
        }),
      {},
    ],
    [
      'that speaks no TLS',
      () => createTcpServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')),
      {},
    ],
  ];

  it.each(refusals)('%s', async (_name, start, options) => {
    expect(await post(start(), options)).toMatchObject({ kind: 'FAILED', code: 'TLS' });
    expect(requests).toBe(0);
  });

  it('whose certificate is wrong, whatever NODE_TLS_REJECT_UNAUTHORIZED says', async () => {
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const result = await post(speaking(foreign));
      expect(result).toMatchObject({ kind: 'FAILED', code: 'TLS' });
      expect(requests).toBe(0);
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    }
  });

  it.each([
    ['that stalls in the handshake', () => createTcpServer(() => {}), 'TIMEOUT'],
    ['that resets in the handshake', () => resetOnFirstByte(), 'RESET'],
  ])('%s', async (_name, start, code) => {
    expect(await post(start(), { timeoutMs: 3_000 })).toMatchObject({ kind: 'FAILED', code });
  });
});

const resetOnFirstByte = () =>
  createTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
