import type { Socket } from 'node:net';
import { Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  closedPort,
  http,
  connectorTo,
  reference,
  transfer,
  startRawBank,
} from '../../support/adapters/raw-bank.ts';

const limit = { timeoutMs: 5_000 };
const short = { timeoutMs: 300 };
const settled = http(200, { reference, status: 'SETTLED', bankReference: 'B-1' });

describe('not sent is said only where no byte was written', () => {
  it('a refused connection', async () => {
    const connector = connectorTo(await closedPort());
    expect(await connector.submit(transfer, limit)).toEqual({
      kind: 'NOT_SENT',
      why: 'CONNECT_FAILED',
    });
  });

  it('a name that does not resolve', async () => {
    const connector = connectorTo(1, { baseUrl: 'http://bank.invalid' });
    expect(await connector.submit(transfer, limit)).toEqual({
      kind: 'NOT_SENT',
      why: 'DNS_FAILED',
    });
  });

  it('a TLS handshake that fails', async () => {
    const bank = await startRawBank(
      () => undefined,
      (socket) => socket.end('no TLS here\r\n'),
    );
    const connector = connectorTo(1, { baseUrl: `https://127.0.0.1:${bank.port}` });
    expect(await connector.submit(transfer, limit)).toMatchObject({ kind: 'NOT_SENT' });
  });

  it('a TLS handshake that is cut off by a reset', async () => {
    const bank = await startRawBank(
      () => undefined,
      (socket) => socket.resetAndDestroy(),
    );
    const connector = connectorTo(1, { baseUrl: `https://127.0.0.1:${bank.port}` });
    expect(await connector.submit(transfer, limit)).toMatchObject({ kind: 'NOT_SENT' });
  });

  it('a TLS handshake that never ends', async () => {
    const bank = await startRawBank(() => undefined);
    const connector = connectorTo(1, {
      baseUrl: `https://127.0.0.1:${bank.port}`,
      limits: { connectTimeoutMs: 200 },
    });
    expect(await connector.submit(transfer, limit)).toEqual({
      kind: 'NOT_SENT',
      why: 'CONNECT_TIMEOUT',
    });
  });

  it('a deadline that passes while all connections are in use, and nothing is sent later', async () => {
    const waiting: Socket[] = [];
    const bank = await startRawBank((socket) => waiting.push(socket));
    const connector = connectorTo(bank.port, { limits: { connections: 1 } });
    const first = connector.submit(transfer, limit);
    await expect.poll(() => waiting.length).toBe(1);
    const second = await connector.submit({ ...transfer, reference: 'CWB02' }, short);
    expect(second).toEqual({ kind: 'NOT_SENT', why: 'CONNECT_TIMEOUT' });

    waiting[0]?.write(settled);
    expect(await first).toMatchObject({ kind: 'REPORT' });
    const third = connector.submit({ ...transfer, reference: 'CWC03' }, limit);
    await expect.poll(() => waiting.length).toBe(2);
    waiting[1]?.end(http(503, ''));
    await third;
    expect(bank.requests.map((text) => text.split(' ')[1])).toEqual([
      `/transfers/${reference}`,
      '/transfers/CWC03',
    ]);
  });
});

describe('once a byte may have been written the outcome is unknown', () => {
  it.each([
    ['a reset after the request', (socket: Socket) => socket.resetAndDestroy(), 'RESET'],
    ['a connection closed without an answer', (socket: Socket) => socket.end(), 'RESET'],
    [
      'a reset in the middle of the head',
      (socket: Socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-', () => socket.resetAndDestroy());
      },
      'RESET',
    ],
  ] as const)('%s', async (_name, answer, why) => {
    const bank = await startRawBank(answer);
    expect(await connectorTo(bank.port).submit(transfer, limit)).toEqual({ kind: 'SILENCE', why });
    expect(bank.requests).toHaveLength(1);
  });

  it('a reset on accepting is one or the other, and the bank has read nothing', async () => {
    const bank = await startRawBank(
      () => undefined,
      (socket) => socket.resetAndDestroy(),
    );
    const answer = await connectorTo(bank.port).submit(transfer, limit);
    // Which of the two depends on what comes first, the reset or the write. Both are true.
    expect(['NOT_SENT', 'SILENCE']).toContain(answer.kind);
    expect(bank.requests).toHaveLength(0);
  });

  it('a bank that says nothing', async () => {
    const bank = await startRawBank(() => undefined);
    const answer = await connectorTo(bank.port).submit(transfer, short);
    expect(answer).toEqual({ kind: 'SILENCE', why: 'TIMEOUT' });
    expect(bank.requests).toHaveLength(1);
  });

  it.each([
    ['head', 'HTTP/1.1 200 OK\r\n'],
    ['body', 'HTTP/1.1 200 OK\r\ncontent-length: 60000\r\n\r\n'],
  ])('a bank that trickles its %s is not waited for beyond the deadline', async (_name, start) => {
    const bank = await startRawBank((socket) => {
      socket.write(start);
      const trickle = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(trickle));
    });
    // It would trickle for ever.
    const answer = await connectorTo(bank.port).submit(transfer, short);
    expect(answer).toEqual({ kind: 'SILENCE', why: 'TIMEOUT' });
  });
});

describe('a kept-alive connection', () => {
  it('serves one request after the other', async () => {
    const bank = await startRawBank((socket) => socket.write(settled));
    const connector = connectorTo(bank.port);
    for (let nth = 0; nth < 10; nth += 1) {
      expect(await connector.submit(transfer, limit)).toMatchObject({ kind: 'REPORT' });
    }
    expect(bank.requests).toHaveLength(10);
    // A second one is opened where the first is not free in the same tick.
    expect(bank.connections).toBeLessThanOrEqual(2);
  });

  it('that is reset by a later request makes it unknown, and it is not sent again', async () => {
    const bank = await startRawBank((socket, _text, nth) => {
      if (nth === 1) socket.write(settled);
      else socket.resetAndDestroy();
    });
    const connector = connectorTo(bank.port);
    await connector.submit(transfer, limit);
    expect(await connector.submit(transfer, limit)).toEqual({ kind: 'SILENCE', why: 'RESET' });
    expect(bank.requests).toHaveLength(2);
  });

  it.each(['end', 'resetAndDestroy'] as const)(
    'that the bank closes (%s) between two requests never sends one twice or calls it not sent',
    async (close) => {
      for (let round = 0; round < 20; round += 1) {
        const bank = await startRawBank((socket, _text, nth) => {
          // The close races with the next request: sometimes it is seen first, sometimes not.
          if (nth === 1) socket.write(settled, () => setImmediate(() => socket[close]()));
          else socket.write(settled);
        });
        const connector = connectorTo(bank.port);
        await connector.submit(transfer, limit);
        const second = await connector.submit(transfer, limit);
        expect(['REPORT', 'SILENCE']).toContain(second.kind);
        expect(bank.requests.length).toBeLessThanOrEqual(2);
        if (second.kind === 'REPORT') expect(bank.requests).toHaveLength(2);
      }
    },
  );
});

describe('an agent that was given in', () => {
  it('is used, and is not closed with the connector', async () => {
    const bank = await startRawBank((socket) => socket.write(settled));
    const dispatcher = new Agent();
    onTestFinished(() => dispatcher.destroy());
    const connector = connectorTo(bank.port, { dispatcher });
    await connector.close();
    expect(await connector.submit(transfer, limit)).toMatchObject({ kind: 'REPORT' });
  });

  it('that sends a request a second time by itself is stopped before it does', async () => {
    const bank = await startRawBank((socket) => socket.resetAndDestroy());
    const agent = new Agent();
    onTestFinished(() => agent.destroy());
    const retrying = agent.compose(
      (dispatch) => (options, handler) =>
        dispatch(options, {
          onRequestStart: (...args) => handler.onRequestStart?.(...args),
          onResponseStart: (...args) => handler.onResponseStart?.(...args),
          onResponseData: (...args) => handler.onResponseData?.(...args),
          onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
          onResponseError: () => void dispatch(options, handler),
        }),
    );
    const connector = connectorTo(bank.port, { dispatcher: retrying });
    expect(await connector.submit(transfer, limit)).toEqual({ kind: 'SILENCE', why: 'RESET' });
    expect(bank.requests).toHaveLength(1);
  });
});
