import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import { openEndpointSecrets } from '../../../src/modules/webhooks/endpoint-secret.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';

const URL_HERE = 'http://127.0.0.1:4010/hooks';
const PATH = '/api/v1/webhook-endpoints';

interface Endpoint {
  id: string;
  url: string;
  types: string[];
  description: string | null;
  status: string;
  version: number;
  secret?: string;
}

let harness: TestApp;
beforeAll(async () => {
  harness = await createTestApp();
});
afterAll(() => harness.close());

/** Headers of a key of a customer of its own, so that one test's endpoints are not another's. */
async function newCaller(environment: 'test' | 'live' = 'test') {
  const { db } = harness.database;
  const customerId = await db.system((tx) => addCustomer(tx));
  const overrides = { customerId, environment, approvedRanges: ['127.0.0.1/32'] };
  const key = await db.system((tx) => addApiKey(tx, harness.vault, overrides));
  return { authorization: `Bearer ${key.token}`, scope: { customerId, environment } };
}
type Caller = Awaited<ReturnType<typeof newCaller>>;

const post = (caller: Caller, payload: object, headers: Record<string, string> = {}) =>
  harness.app.inject({
    method: 'POST',
    url: PATH,
    headers: { authorization: caller.authorization, ...headers },
    payload,
  });
const call = (caller: Caller, method: 'GET' | 'DELETE', path = '') =>
  harness.app.inject({
    method,
    url: `${PATH}${path}`,
    headers: { authorization: caller.authorization },
  });

describe('POST /webhook-endpoints', () => {
  it('a new endpoint answers its secret once, and keeps it sealed', async () => {
    const caller = await newCaller();
    const answer = await post(caller, { url: URL_HERE });
    expect(answer.statusCode).toBe(201);
    const created = answer.json<Endpoint>();
    expect(created).toMatchObject({
      url: URL_HERE,
      types: ['*'],
      description: null,
      status: 'ENABLED',
      version: 1,
    });
    expect(created.id).toMatch(/^whe_/);
    expect(created.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const read = await call(caller, 'GET', `/${created.id}`);
    const { secret, ...shown } = created;
    expect(read.json()).toEqual({
      ...shown,
      health: { lastSuccessAt: null, backlog: 0, medianDelayMs: null },
    });
    const rows = await harness.database.db.system((tx) =>
      tx.query<{ secret: Buffer }>('SELECT secret FROM webhook_endpoints WHERE id = $1', [
        created.id,
      ]),
    );
    const sealed = rows[0]?.secret ?? Buffer.alloc(0);
    expect(sealed.includes(Buffer.from(secret ?? ''))).toBe(false);
    expect(openEndpointSecrets(harness.vault, created.id, sealed, new Date())).toEqual([secret]);
  });

  it('a new endpoint emits no event', async () => {
    const caller = await newCaller();
    await post(caller, { url: URL_HERE });
    const rows = await harness.database.db.system((tx) =>
      tx.query('SELECT 1 FROM events WHERE customer_id = $1', [caller.scope.customerId]),
    );
    expect(rows).toEqual([]);
  });

  it('a repeated Idempotency-Key makes one endpoint and shows the same secret', async () => {
    const caller = await newCaller();
    const key = { 'idempotency-key': 'endpoint-1' };
    const first = await post(caller, { url: URL_HERE }, key);
    const again = await post(caller, { url: URL_HERE }, key);
    expect(again.statusCode).toBe(201);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body).toBe(first.body);
    const list = (await call(caller, 'GET')).json<{ data: Endpoint[] }>();
    expect(list.data).toHaveLength(1);
    const other = await post(caller, { url: `${URL_HERE}/other` }, key);
    expect(other.statusCode).toBe(422);
  });

  it.each([
    [{ url: URL_HERE, types: ['payments.*'] }, '/types/0'],
    [{ url: URL_HERE, types: ['payment.*', 'nope'] }, '/types/1'],
    [{ url: URL_HERE, types: [] }, '/types'],
    [{ url: URL_HERE, colour: 'red' }, '/colour'],
    [{ types: ['*'] }, '/url'],
    [{ url: 'http://169.254.169.254/latest' }, '/url'],
    [{ url: 'http://ada:sample@127.0.0.1/' }, '/url'],
    [{ url: 'http://127.0.0.1/#x' }, '/url'],
    [{ url: 'not a url' }, '/url'],
    [{ url: 'http://causeway-has-no-such-host.invalid/' }, '/url'],
  ])('%j is a 400 at %s', async (payload, path) => {
    const answer = await post(await newCaller(), payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: 'validation_failed', details: [{ path }] });
  });

  it.each([
    URL_HERE,
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://localhost/',
    'https://8.8.8.8:8443/',
  ])('a live endpoint at %s is refused whatever the setting for test', async (url) => {
    const answer = await post(await newCaller('live'), { url });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ details: [{ path: '/url' }] });
  });

  it('a live endpoint may be a public address on 443', async () => {
    const answer = await post(await newCaller('live'), { url: 'https://8.8.8.8/hooks' });
    expect(answer.statusCode).toBe(201);
  });

  it('sixteen endpoints are let in, also when they come at once, and one more after a deletion', async () => {
    const caller = await newCaller();
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => post(caller, { url: URL_HERE })),
    );
    const codes = answers.map((answer) => answer.statusCode).sort();
    expect(codes.filter((code) => code === 201)).toHaveLength(16);
    const refused = answers.filter((answer) => answer.statusCode === 409);
    expect(refused.map((answer) => answer.json<{ error: string }>().error)).toEqual(
      Array.from({ length: 24 }, () => 'limit_reached'),
    );
    const one = answers.find((answer) => answer.statusCode === 201)?.json<Endpoint>();
    await call(caller, 'DELETE', `/${one?.id ?? ''}`);
    expect((await post(caller, { url: URL_HERE })).statusCode).toBe(201);
  });
});

describe('reading and deleting', () => {
  it('endpoints are listed newest first, page by page, without secrets', async () => {
    const caller = await newCaller();
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      ids.unshift((await post(caller, { url: URL_HERE })).json<Endpoint>().id);
    }
    const first = (await call(caller, 'GET', '?limit=2')).json<{
      data: Endpoint[];
      hasMore: boolean;
      nextCursor: string;
    }>();
    expect(first.data.map((one) => one.id)).toEqual(ids.slice(0, 2));
    expect(first.hasMore).toBe(true);
    expect(first.data.some((one) => 'secret' in one)).toBe(false);
    const rest = await call(caller, 'GET', `?limit=2&cursor=${first.nextCursor}`);
    expect(rest.json()).toMatchObject({ data: [{ id: ids[2] }], hasMore: false, nextCursor: null });
  });

  it('a deleted endpoint is the same 404 as a missing, a malformed and a foreign one', async () => {
    const caller = await newCaller();
    const { id } = (await post(caller, { url: URL_HERE })).json<Endpoint>();
    const foreign = (await post(await newCaller(), { url: URL_HERE })).json<Endpoint>().id;
    const gone = await call(caller, 'DELETE', `/${id}`);
    expect(gone.statusCode).toBe(204);
    expect(gone.body).toBe('');
    for (const missing of [id, foreign, newId('whe'), 'whe_x', 'pay_1']) {
      for (const method of ['GET', 'DELETE'] as const) {
        const answer = await call(caller, method, `/${missing}`);
        expect(answer.statusCode, `${method} ${missing}`).toBe(404);
        expect(answer.json()).toMatchObject({
          error: 'not_found',
          message: 'The resource does not exist.',
          details: [],
        });
      }
    }
    expect((await call(caller, 'GET')).json()).toMatchObject({ data: [] });
  });

  it('an endpoint of test is not there for live, and a key without the scope is refused', async () => {
    const { db } = harness.database;
    const caller = await newCaller();
    const { id } = (await post(caller, { url: URL_HERE })).json<Endpoint>();
    const { customerId } = caller.scope;
    const live = await db.system((tx) =>
      addApiKey(tx, harness.vault, {
        customerId,
        environment: 'live',
        approvedRanges: ['127.0.0.1/32'],
      }),
    );
    const reader = await db.system((tx) =>
      addApiKey(tx, harness.vault, { customerId, scopes: ['webhook-endpoints:read'] }),
    );
    const scope = caller.scope;
    const asLive = { authorization: `Bearer ${live.token}`, scope };
    const asReader = { authorization: `Bearer ${reader.token}`, scope };
    expect((await call(asLive, 'GET', `/${id}`)).statusCode).toBe(404);
    expect((await call(asReader, 'GET', `/${id}`)).statusCode).toBe(200);
    expect((await call(asReader, 'DELETE', `/${id}`)).statusCode).toBe(403);
    expect((await post(asReader, { url: URL_HERE })).statusCode).toBe(403);
  });
});
