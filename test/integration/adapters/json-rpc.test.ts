import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createJsonRpc, type JsonRpc } from '../../../src/adapters/evm/json-rpc.ts';
import { startHangingServer } from '../../support/hanging-server.ts';

const CALLS = [
  { method: 'eth_chainId', params: [] },
  { method: 'eth_blockNumber', params: [] },
];
const KEY = 'made-up-key-of-a-provider';

let answer: RequestListener;
let requests: number;
let rpc: JsonRpc;
let close: () => Promise<void>;

beforeEach(async () => {
  requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    answer(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const limits = { timeoutMs: 3_000, answerBytesMax: 10_000 };
  rpc = createJsonRpc(`http://127.0.0.1:${port}/v2/${KEY}?of=test`, limits);
  close = async () => {
    await rpc.close();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
});

afterEach(() => close());

const answers =
  (body: unknown, status = 200): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
const right = (id: unknown, value: unknown) => ({ jsonrpc: '2.0', id, result: value });

test('answers come in the order of the calls, whatever order the node has', async () => {
  let path: string | undefined;
  answer = (request, response) => {
    path = request.url;
    answers([right(2, '0x10'), right(1, '0x1')])(request, response);
  };
  expect(await rpc.ask(CALLS)).toEqual({
    kind: 'ANSWERS',
    answers: [
      { kind: 'RESULT', value: '0x1' },
      { kind: 'RESULT', value: '0x10' },
    ],
  });
  expect(path).toBe(`/v2/${KEY}?of=test`);
});

test('an error is a code and whether it carried bytes: its text goes nowhere', async () => {
  const error = (id: number, code: number, data?: unknown) => {
    return { jsonrpc: '2.0', id, error: { code, message: `see ${KEY}`, data } };
  };
  answer = answers([error(1, 3, '0x08c379a0'), error(2, -32000, KEY)]);
  expect(await rpc.ask(CALLS)).toEqual({
    kind: 'ANSWERS',
    answers: [
      { kind: 'ERROR', code: 3, hasData: true },
      { kind: 'ERROR', code: -32000, hasData: false },
    ],
  });
});

test.each([
  ['another id', [right(1, '0x1'), right(3, '0x1')]],
  ['an id twice', [right(1, '0x1'), right(1, '0x1')]],
  ['an id as text', [right('1', '0x1'), right('2', '0x1')]],
  ['an answer too few', [right(1, '0x1')]],
  ['an answer too many', [right(1, '0x1'), right(2, '0x1'), right(3, '0x1')]],
  ['one answer for all', right(1, '0x1')],
  ['another version', [{ ...right(1, '0x1'), jsonrpc: '1.0' }, right(2, '0x1')]],
  ['no result', [{ jsonrpc: '2.0', id: 1 }, right(2, '0x1')]],
  [
    'a result and an error',
    [{ ...right(1, '0x1'), error: { code: 3, message: '' } }, right(2, '0x1')],
  ],
  ['an error without a code', [{ jsonrpc: '2.0', id: 1, error: {} }, right(2, '0x1')]],
  ['a text', 'eth'],
  ['nothing', null],
])('a batch with %s is garbage as a whole', async (_what, body) => {
  answer = answers(body);
  expect(await rpc.ask(CALLS)).toEqual({ kind: 'SILENCE', why: 'GARBAGE' });
});

test('what is no JSON is garbage', async () => {
  answer = (_request, response) => response.end('<html>');
  expect(await rpc.ask(CALLS)).toEqual({ kind: 'SILENCE', why: 'GARBAGE' });
});

/** A node that takes at most so many calls in one request: of more it answers one error for all, as it answers a bare call. */
const takesAtMost =
  (most: number, sizes: (number | 'BARE')[], refusal = -32_600): RequestListener =>
  (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as
        { id: number } | { id: number }[];
      sizes.push(Array.isArray(body) ? body.length : 'BARE');
      const error = { jsonrpc: '2.0', id: null, error: { code: refusal, message: 'batch' } };
      const isRefused = Array.isArray(body) && body.length > most;
      const answered = Array.isArray(body)
        ? body.map(({ id }) => right(id, id))
        : right(body.id, body.id);
      answers(isRefused ? error : answered)(request, response);
    });
  };
const manyCalls = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    method: 'eth_getBlockByNumber',
    params: [index],
  }));

test('what a node leaves out of a batch is silence of its own', async () => {
  answer = answers([right(2, '0x10')]);
  expect(await rpc.askEach(CALLS)).toEqual([
    { kind: 'SILENCE', why: 'NO_ANSWER' },
    { kind: 'RESULT', value: '0x10' },
  ]);
  answer = answers([right(2, '0x10'), right(2, '0x10')]);
  const garbage = { kind: 'SILENCE', why: 'GARBAGE' };
  expect(await rpc.askEach(CALLS)).toEqual([garbage, garbage]);
});

test('many calls go in requests of fifty at most', async () => {
  const sizes: (number | 'BARE')[] = [];
  answer = takesAtMost(1_000, sizes);
  const outcome = await rpc.askEach(manyCalls(120));
  expect(outcome.length).toBe(120);
  expect(outcome.every(({ kind }) => kind === 'RESULT')).toBe(true);
  expect(sizes).toEqual([50, 50, 20]);
});

test('a node that takes smaller batches, or none, answers all the same, and is not asked for more again', async () => {
  const sizes: (number | 'BARE')[] = [];
  answer = takesAtMost(10, sizes);
  const few = await rpc.askEach(manyCalls(20));
  expect(few.every(({ kind }) => kind === 'RESULT')).toBe(true);
  sizes.length = 0;
  await rpc.askEach(manyCalls(20));
  expect(sizes.every((size) => size !== 'BARE' && size <= 10)).toBe(true);
  answer = takesAtMost(0, sizes);
  const none = await rpc.askEach(manyCalls(3));
  expect(none.every(({ kind }) => kind === 'RESULT')).toBe(true);
  sizes.length = 0;
  expect(await rpc.ask(CALLS)).toMatchObject({ kind: 'ANSWERS' });
  expect(sizes).toEqual(['BARE', 'BARE']);
});

test('a node that is asked too often is not asked in more requests', async () => {
  const sizes: (number | 'BARE')[] = [];
  answer = takesAtMost(1, sizes, -32_005);
  const garbage = { kind: 'SILENCE', why: 'GARBAGE' };
  expect(await rpc.askEach(CALLS)).toEqual([garbage, garbage]);
  expect(sizes).toEqual([2]);
});

test('an answer that is too large takes none of the others with it', async () => {
  answer = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const calls = JSON.parse(Buffer.concat(chunks).toString()) as {
        id: number;
        params: [number];
      }[];
      const value = (index: number) => (index === 2 ? '0'.repeat(11_000) : index);
      answers(calls.map(({ id, params: [index] }) => right(id, value(index))))(request, response);
    });
  };
  const outcome = await rpc.askEach(manyCalls(5));
  expect(outcome.map((one) => (one.kind === 'SILENCE' ? one.why : one.kind))).toEqual([
    ...['RESULT', 'RESULT', 'TOO_LARGE', 'RESULT', 'RESULT'],
  ]);
});

test('a redirect is not followed', async () => {
  answer = (_request, response) => response.writeHead(307, { location: '/elsewhere' }).end();
  expect(await rpc.ask(CALLS)).toEqual({ kind: 'SILENCE', why: 'HTTP_307' });
  expect(requests).toBe(1);
});

test('a refusal is not asked again', async () => {
  answer = answers([right(1, '0x1'), right(2, '0x1')], 429);
  expect(await rpc.ask(CALLS)).toEqual({ kind: 'SILENCE', why: 'HTTP_429' });
  expect(requests).toBe(1);
});

test('an answer over the limit is dropped while it arrives', async () => {
  let isGivenUp = false;
  answer = (_request, response) => {
    response.on('close', () => (isGivenUp = true));
    const more = () => response.write('[0,'.repeat(2_000), () => !isGivenUp && more());
    more();
  };
  expect(await rpc.ask(CALLS)).toEqual({ kind: 'SILENCE', why: 'TOO_LARGE' });
  await expect.poll(() => isGivenUp).toBe(true);
});

test('an answer that drips is late as a whole', async () => {
  answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const drip = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drip));
  };
  expect(await rpc.ask(CALLS)).toEqual({ kind: 'SILENCE', why: 'TIMEOUT' });
});

test('a node that says nothing is given up', async () => {
  const server = await startHangingServer();
  const hanging = createJsonRpc(server.url, { timeoutMs: 200 });
  expect(await hanging.ask(CALLS)).toEqual({ kind: 'SILENCE', why: 'TIMEOUT' });
  await hanging.close();
  await server.close();
});

test.each([
  `not a URL ${KEY}`,
  `ftp://node.example/${KEY}`,
  `https://user:${KEY}@node.example/`,
  `https://node.example/#${KEY}`,
])('an address that will not do is refused without being told', (url) => {
  let told: unknown;
  try {
    createJsonRpc(url);
  } catch (error) {
    told = error;
  }
  expect(told).toBeInstanceOf(TypeError);
  expect(JSON.stringify({ ...(told as object), text: String(told) })).not.toContain(KEY);
});
