import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/test-app.ts';

let stand: TestApp;
let port: number;
beforeAll(async () => {
  stand = await createTestApp();
  await stand.app.listen({ port: 0, host: '127.0.0.1' });
  port = (stand.app.server.address() as AddressInfo).port;
});
afterAll(() => stand.close());

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

  it('an expectation that is not ours is passed over', async () => {
    const answer = await send(
      'GET /health HTTP/1.1\r\nhost: a\r\nexpect: tea\r\nconnection: close\r\n\r\n',
    );
    expect(answer.head).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('a body that ends before its length is not answered with a fault of ours', async () => {
    const head = `POST /api/v1/end-users HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${stand.token}`;
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
});
