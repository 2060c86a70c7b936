import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPayFromOutside } from '../../../src/adapters/evm/pay-from-outside.ts';
import {
  createPaymentHarness,
  type PaymentHarness,
  type Payer,
} from '../../support/payment-harness.ts';
import { buildCheckedApp } from '../../support/checked-app.ts';
import { testSettings } from '../../support/test-app.ts';
import { someAddress } from '../../support/sample-networks.ts';

const HASH = `0x${'5c'.repeat(32)}`;

/** What the control API was asked for, by path; and what it answers. */
const asked: { path: string; body: unknown }[] = [];
let answer: { status: number; body: unknown } = { status: 201, body: { txHash: HASH } };

let sandbox: Server;
let harness: PaymentHarness;
let stranger: Payer;
beforeAll(async () => {
  sandbox = createServer((request, response) => {
    void readBody(request).then((body) => {
      asked.push({ path: request.url ?? '', body });
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer.body));
    });
  });
  await once(sandbox.listen(0, '127.0.0.1'), 'listening');
  const { port } = sandbox.address() as AddressInfo;
  const payFromOutside = createPayFromOutside(`http://127.0.0.1:${String(port)}`);
  harness = await createPaymentHarness({ payFromOutside });
  stranger = await harness.addPayer({ ...harness.scope, environment: 'live' });
});
afterAll(async () => {
  await harness.close();
  sandbox.close();
});
beforeEach(() => {
  asked.length = 0;
  answer = { status: 201, body: { txHash: HASH } };
});

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

async function ownAddress(token?: string): Promise<string> {
  const made = await harness.ask({
    ...{ method: 'POST', url: '/deposit-addresses', body: {} },
    ...(token === undefined ? {} : { token }),
  });
  return made.json<{ address: string }>().address;
}
const order = (address: string, more: object = {}) => ({
  ...{ address, network: 'BASE', asset: 'USDC', amount: '25.08' },
  ...more,
});
const send = (body: object, by: { key?: string; token?: string } = {}) =>
  harness.ask({ method: 'POST', url: '/sandbox/token-deposits', body, ...by });

describe('POST /sandbox/token-deposits', () => {
  it('has the sandbox send the tokens, and answers the transaction', async () => {
    const address = await ownAddress();
    const sent = await send(order(address));
    expect(sent.statusCode, sent.body).toBe(202);
    const told = { network: 'BASE', asset: 'USDC', address, amount: '25.080000', txHash: HASH };
    expect(sent.json()).toMatchObject(told);
    const body = { network: 'BASE', asset: 'USDC', to: address, amount: '25.080000' };
    expect(asked).toEqual([{ path: expect.stringMatching(/^\/deposits\/sdp_/) as string, body }]);
  });

  it('under one Idempotency-Key is one transfer of the sandbox, and another body is refused', async () => {
    const address = await ownAddress();
    const first = await send(order(address), { key: 'tokens' });
    const again = await send(order(address, { amount: '25.080' }), { key: 'tokens' });
    expect([again.statusCode, again.body]).toEqual([202, first.body]);
    expect(new Set(asked.map(({ path }) => path)).size).toBe(1);
    const other = await send(order(address, { amount: '1' }), { key: 'tokens' });
    expect(other.json()).toMatchObject({ error: 'idempotency_key_mismatch' });
  });

  it('repeated under its key is the first answer, also once the sandbox lists no network', async () => {
    const body = order(await ownAddress());
    const first = await send(body, { key: 'listed-then' });
    const settings = testSettings({ networks: { test: [], live: [] } });
    const { payFromOutside, ...deps } = harness.deps;
    expect(payFromOutside).toBeDefined();
    const later = buildCheckedApp({ ...deps, settings });
    const again = await later.inject({
      ...{ method: 'POST', url: '/api/v1/sandbox/token-deposits', payload: body },
      headers: { ...harness.headers, 'idempotency-key': 'listed-then' },
    });
    expect([again.statusCode, again.body]).toEqual([202, first.body]);
    expect(asked).toHaveLength(1);
    await later.close();
  });

  it('sends nothing to an address that is not yours, and nothing of what the network does not list', async () => {
    const address = await ownAddress();
    const cases: [object, string][] = [
      [order(someAddress()), 'resource_not_found'],
      [order(await ownAddress(stranger.token)), 'resource_not_found'],
      [order(address, { network: 'POLYGON' }), 'unsupported_network'],
      [order(address, { asset: 'USDT' }), 'unsupported_asset'],
      [order(address, { amount: '50000.01' }), 'amount_above_maximum'],
      [order(address, { amount: '0.0000001' }), 'amount_precision_exceeded'],
      [order('0x12'), 'invalid_address'],
    ];
    for (const [body, error] of cases) {
      expect((await send(body)).json()).toMatchObject({ error });
    }
    expect(asked).toEqual([]);
  });

  it('is unavailable where the control API does not answer as agreed, and nothing is bound to the key', async () => {
    const address = await ownAddress();
    answer = { status: 500, body: {} };
    const refused = await send(order(address), { key: 'later' });
    expect(refused.json()).toMatchObject({ error: 'service_unavailable' });
    answer = { status: 200, body: { txHash: HASH } };
    expect((await send(order(address), { key: 'later' })).statusCode).toBe(202);
  });

  it('is no route for a live key', async () => {
    const answered = await send(order(someAddress()), { token: stranger.token });
    expect(answered.statusCode).toBe(404);
  });
});
