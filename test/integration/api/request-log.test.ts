import { randomBytes } from 'node:crypto';
import createBaseX from 'base-x';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  buildApiKeyToken,
  parseApiKeyToken,
} from '../../../src/modules/customers/api-key-token.ts';
import {
  listApiRequests,
  listRefusedAddresses,
} from '../../../src/db/customers/api-request-store.ts';
import type { App } from '../../../src/web/kit/http/app-type.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { buildCheckedApp } from '../../support/checked-app.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { testSettings } from '../../support/test-app.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';

let harness: PaymentHarness;
let app: App;
beforeAll(async () => {
  const settings = testSettings({ trustedProxies: ['127.0.0.1/32'] });
  harness = await createPaymentHarness({ settings });
});
afterAll(() => harness.close());
beforeEach(async () => {
  app = buildCheckedApp(harness.deps);
  await app.ready();
});

/** What the log holds once the server has stopped, newest first. */
async function logged(scope: Scope = harness.scope) {
  await app.close();
  const page = { limit: 100, before: null };
  const { items } = await harness.database.db.read(scope, (tx) =>
    listApiRequests(tx, scope, {}, page),
  );
  return items;
}

async function addKey(overrides: Partial<Parameters<typeof addApiKey>[2]> = {}) {
  const { db } = harness.database;
  const customerId = await db.system((tx) => addCustomer(tx));
  const key = await db.system((tx) => addApiKey(tx, harness.vault, { customerId, ...overrides }));
  const environment = overrides.environment ?? 'test';
  return { ...key, scope: { customerId, environment }, bearer: `Bearer ${key.token}` };
}

/** What a caller sends who knows a key's prefix: its public id, a right checksum, and a secret of their own. */
function withAnotherSecret(token: string): string {
  const base62 = createBaseX('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');
  const publicId = parseApiKeyToken(token)?.publicId ?? '';
  const bytes = Buffer.from(base62.decode(publicId)).subarray(-9);
  const padded = Buffer.concat([Buffer.alloc(9 - bytes.length), bytes]);
  const forged = buildApiKeyToken('test', { publicId: padded, secret: randomBytes(32) });
  expect(forged.publicId).toBe(publicId);
  return forged.token;
}

describe('the request log', () => {
  it('holds a request’s route and answer, and nothing of what it said', async () => {
    const { bearer, scope, id } = await addKey();
    const answer = await app.inject({
      url: '/api/v1/payments/pay_secretword?externalId=Hildegard&secret=4111',
      headers: { authorization: bearer, 'x-forwarded-for': '198.51.100.9' },
    });
    const [row, ...others] = await logged(scope);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      ...{ apiKeyId: id, requestId: answer.headers['x-request-id'], method: 'GET' },
      ...{ route: '/api/v1/payments/:paymentId', status: answer.statusCode },
      ...{
        errorCode: answer.json<{ error: string }>().error,
        address: '198.51.100.9',
        paymentId: null,
      },
    });
    const text = JSON.stringify(row, (_name, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(text).not.toMatch(/secretword|Hildegard|4111/);
    expect(text).not.toContain(bearer.slice(-20));
  });

  it('names the payment that a request made, and none that was not found', async () => {
    const { customerId } = harness.scope;
    const key = await harness.database.db.system((tx) =>
      addApiKey(tx, harness.vault, { customerId }),
    );
    const headers = { authorization: `Bearer ${key.token}`, 'idempotency-key': 'one' };
    const pay = () =>
      app.inject({
        ...{ method: 'POST', url: '/api/v1/payments', headers },
        payload: harness.order(),
      });
    const read = (id: string) => app.inject({ url: `/api/v1/payments/${id}`, headers });
    const { id } = (await pay()).json<{ id: string }>();
    await pay();
    await read(id);
    await read(newId('pay'));
    const rows = (await logged()).filter(({ apiKeyId }) => apiKeyId === key.id);
    expect(rows.map((row) => [row.method, row.status, row.errorCode, row.paymentId])).toEqual([
      ['GET', 404, 'not_found', null],
      ['GET', 200, null, id],
      ['POST', 201, null, id],
      ['POST', 201, null, id],
    ]);
  });

  it('shows what a key was refused for, and from where', async () => {
    const live = await addKey({ environment: 'live', approvedRanges: ['203.0.113.0/24'] });
    const from = (address: string) =>
      app.inject({
        url: '/api/v1/balances',
        headers: { authorization: live.bearer, 'x-forwarded-for': address },
      });
    for (const address of ['198.51.100.1', '2001:db8::7', '198.51.100.1', '203.0.113.5']) {
      await from(address);
    }
    expect((await logged(live.scope)).map(({ status, errorCode }) => [status, errorCode])).toEqual([
      ...[
        [200, null],
        [403, 'ip_not_allowed'],
        [403, 'ip_not_allowed'],
        [403, 'ip_not_allowed'],
      ],
    ]);
    const refused = await harness.database.db.read(live.scope, (tx) =>
      listRefusedAddresses(tx, live.scope, live.id, 5),
    );
    expect(refused).toMatchObject([
      { address: '198.51.100.1', times: 2n },
      { address: '2001:db8::7', times: 1n },
    ]);
  });

  it('has revoked, expired and narrow keys in it, and no stranger who knows a key’s prefix', async () => {
    const narrow = await addKey({ scopes: ['payments:read'] });
    const { customerId } = narrow.scope;
    const old = new Date('2020-01-01T00:00:00Z');
    const { db } = harness.database;
    const add = (more: object) =>
      db.system((tx) => addApiKey(tx, harness.vault, { customerId, ...more }));
    const revoked = await add({ revokedAt: old });
    const expired = await add({ expiresAt: old });
    for (const token of [
      narrow.token,
      revoked.token,
      expired.token,
      withAnotherSecret(narrow.token),
    ]) {
      await app.inject({ url: '/api/v1/balances', headers: { authorization: `Bearer ${token}` } });
    }
    expect(
      (await logged(narrow.scope)).map(({ apiKeyId, errorCode }) => [apiKeyId, errorCode]),
    ).toEqual([
      [expired.id, 'api_key_expired'],
      [revoked.id, 'api_key_revoked'],
      [narrow.id, 'insufficient_scope'],
    ]);
  });

  it('is of one customer and one environment, by row-level security alone', async () => {
    const one = await addKey();
    await app.inject({ url: '/api/v1/balances', headers: { authorization: one.bearer } });
    await logged(one.scope);
    const seen = async (scope: Scope) =>
      (await harness.database.people.read(scope, (tx) => tx.query('SELECT seq FROM api_requests')))
        .length;
    const stranger = await addKey();
    expect(await seen(one.scope)).toBe(1);
    expect(await seen(stranger.scope)).toBe(0);
    expect(await seen({ ...one.scope, environment: 'live' })).toBe(0);
  });
});
