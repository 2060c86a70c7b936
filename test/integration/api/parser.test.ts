import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../support/test-app.ts';
import { until } from '../../support/until.ts';

let harness: TestApp;
let port: number;
beforeAll(async () => {
  harness = await createTestApp();
  await harness.app.listen({ port: 0, host: '127.0.0.1' });
  port = (harness.app.server.address() as AddressInfo).port;
});
afterAll(() => harness.close());

/** Sends bytes as they are and reads until the server closes. */
function send(text: string): Promise<{ head: string; body: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', ...body] = Buffer.concat(chunks).toString('utf8').split('\r\n\r\n');
      resolve({ head, body: body.join('\r\n\r\n') });
    });
  });
}

const expectShape = (answer: { head: string; body: string }) => {
  const body = JSON.parse(answer.body);
  expect(Object.keys(body).sort()).toEqual(['details', 'error', 'message', 'requestId']);
  expect(answer.head.toLowerCase()).toContain(`x-request-id: ${body.requestId}`);
  return body;
};

describe('what the HTTP parser refuses has the shape of every error', () => {
  it.each([
    ['a request line that is none', 'HELLO\r\n\r\n'],
    ['a method that does not exist', 'FETCH / HTTP/1.1\r\nhost: a\r\n\r\n'],
    ['a header with a control character', 'GET / HTTP/1.1\r\nhost: a\r\nx: \x01\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
    ],
    ['an HTTP/1.1 request without Host', 'GET /health HTTP/1.1\r\nconnection: close\r\n\r\n'],
    ['two hosts', 'GET /health HTTP/1.1\r\nhost: a\r\nhost: a\r\nconnection: close\r\n\r\n'],
    ['a request for a tunnel', 'CONNECT a:443 HTTP/1.1\r\nhost: a\r\n\r\n'],
  ])('%s', async (_name, text) => {
    const answer = await send(text);
    expect(answer.head).toMatch(/^HTTP\/1\.1 400 /);
    expectShape(answer);
  });

  it('headers that are too large', async () => {
    const answer = await send(`GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`);
    expect(answer.head).toMatch(/^HTTP\/1\.1 431 /);
    expect(expectShape(answer).error).toBe('payload_too_large');
  });

  it('a TRACE is refused, and says nothing of what was sent', async () => {
    const answer = await send(
      'TRACE /health HTTP/1.1\r\nhost: a\r\nauthorization: Bearer planted\r\nconnection: close\r\n\r\n',
    );
    expect(answer.head).toMatch(/^HTTP\/1\.1 40[45] /);
    expectShape(answer);
    expect(answer.head + answer.body).not.toContain('planted');
  });

  it('an expectation that is not ours is passed over', async () => {
    const answer = await send(
      'GET /health HTTP/1.1\r\nhost: a\r\nexpect: tea\r\nconnection: close\r\n\r\n',
    );
    expect(answer.head).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('a body that ends before its length is not answered with a fault of ours', async () => {
    const head = `POST /api/v1/end-users HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${harness.token}`;
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.end(`${head}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{`);
      });
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('close', () => resolve(text));
    });
    expect(answer).not.toMatch(/^HTTP\/1\.1 5/);
  });

  it('a caller who goes away within the body is no outage of ours', async () => {
    const head = `POST /api/v1/end-users HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${harness.token}`;
    const arrived = new Promise<[IncomingMessage, ServerResponse]>((resolve) => {
      harness.app.server.once('request', (...both) => resolve(both));
    });
    const caller = connect(port, '127.0.0.1', () => {
      caller.write(`${head}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{`);
    });
    const [request, response] = await arrived;
    const status = new Promise<number>((resolve) => {
      response.writeHead = (written: number) => {
        resolve(written);
        return response;
      };
    });
    await until('the body is being read', () => request.readableFlowing || null);
    caller.destroy();
    expect(await status).toBe(400);
  });
});

describe('a header that may come only once', () => {
  const ask = (line: string, headers: readonly string[], body = '') => {
    const head = [line, 'host: a', 'connection: close', ...headers];
    const length = body === '' ? [] : [`content-length: ${String(Buffer.byteLength(body))}`];
    return send(`${[...head, ...length].join('\r\n')}\r\n\r\n${body}`);
  };
  const json = 'content-type: application/json';
  const person = '{"type":"INDIVIDUAL","individual":{"firstName":"Ada","lastName":"Sample"}}';

  it('two Authorization headers are refused: which of two API keys counts would be a guess', async () => {
    const key = `authorization: Bearer ${harness.token}`;
    const other = await ask('GET /api/v1/balances HTTP/1.1', [key, 'authorization: Bearer x']);
    expect(other.head).toMatch(/^HTTP\/1\.1 400 /);
    expect(expectShape(other)).toMatchObject({
      error: 'invalid_parameter',
      details: [{ path: '/header/authorization' }],
    });
    const types = [key, json, 'content-type: text/plain'];
    const typed = await ask('POST /api/v1/end-users HTTP/1.1', types, person);
    expect(expectShape(typed).details).toMatchObject([{ path: '/header/content-type' }]);
  });

  it('two Idempotency-Keys are refused: they are not one key with a comma in it', async () => {
    const head = [`authorization: Bearer ${harness.token}`, json];
    for (const path of ['/end-users', '/payments']) {
      const body = path === '/end-users' ? person : PAYMENT;
      const keys = ['idempotency-key: a', 'Idempotency-Key: a'];
      const answer = await ask(`POST /api/v1${path} HTTP/1.1`, [...head, ...keys], body);
      expect([path, answer.head.split('\r\n')[0]]).toEqual([path, 'HTTP/1.1 400 Bad Request']);
      expect(expectShape(answer)).toMatchObject({
        error: 'invalid_idempotency_key',
        details: [{ path: '/header/idempotency-key' }],
      });
    }
    const one = await ask(
      'POST /api/v1/end-users HTTP/1.1',
      [...head, 'idempotency-key: a, a'],
      person,
    );
    expect(one.head).toMatch(/^HTTP\/1\.1 201 /);
  });

  it('a body in a transfer coding that is not undone is refused, not read as it is', async () => {
    const head = [`authorization: Bearer ${harness.token}`, json];
    const coded = [...head, 'transfer-encoding: gzip, chunked'];
    const chunk = `${person.length.toString(16)}\r\n${person}\r\n0\r\n\r\n`;
    const lines = ['POST /api/v1/end-users HTTP/1.1', 'host: a', 'connection: close', ...coded];
    const answer = await send(`${lines.join('\r\n')}\r\n\r\n${chunk}`);
    expect(answer.head).toMatch(/^HTTP\/1\.1 415 /);
    expect(expectShape(answer).error).toBe('unsupported_media_type');
  });
});

const PAYMENT = JSON.stringify({
  endUserId: 'eu_01k6b7q0e8f1htx9n3r5p7v2ab',
  bankAccountId: 'ba_01k6b7q0e8f1htx9n3r5p7v2ab',
  amount: '10.00',
  currency: 'EUR',
});
