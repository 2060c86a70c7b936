import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  writeApiRequests,
  type ApiRequest,
} from '../../../../src/db/customers/api-request-store.ts';
import { newId } from '../../../../src/db/client/new-id.ts';
import { addApiKey, addCustomer } from '../../../support/test-customer.ts';
import { addTestUser } from '../../../support/test-people.ts';
import { startSite, type Site } from '../../../support/web/site.ts';

let site: Site;
let owner: string;
let customerId: string;
let keyId: string;
let otherKeyId: string;
const paymentId = newId('pay');

const request = (apiKeyId: string, more: Partial<ApiRequest> = {}): ApiRequest => ({
  ...{ apiKeyId, requestId: newId('req'), at: site.clock.now(), method: 'GET' },
  ...{ route: '/api/v1/balances', status: 200, errorCode: null, durationMs: 3 },
  ...{ address: '203.0.113.7', paymentId: null, ...more },
});

beforeAll(async () => {
  site = await startSite('dashboard');
  const { db } = site.database;
  customerId = await db.system((tx) => addCustomer(tx));
  owner = await site.logIn((await addTestUser(site.people, customerId, 'OWNER')).id);
  const add = async () => (await db.system((tx) => addApiKey(tx, site.vault, { customerId }))).id;
  [keyId, otherKeyId] = [await add(), await add()];
  const rows = [
    request(keyId, { method: 'POST', route: '/api/v1/payments', status: 201, paymentId }),
    request(keyId, { status: 403, errorCode: 'ip_not_allowed', address: '198.51.100.9' }),
    request(otherKeyId, { status: 500, errorCode: 'internal_error', address: null }),
  ];
  await writeApiRequests(db, rows, site.clock.now());
});
afterAll(() => site.close());

const open = (query = '') => site.get(`/test/requests${query}`, owner);
const rowsIn = (html: string) => [...html.matchAll(/<code>(req_[0-9a-z]{26})<\/code>/g)].length;

describe('the request log on the dashboard', () => {
  it('shows each request with its answer, where it came from, and the payment that it made', async () => {
    const { status, body } = await open();
    expect([status, rowsIn(body)]).toEqual([200, 3]);
    expect(body).toContain('POST /api/v1/payments');
    expect(body).toContain(`href="/test/payments/${paymentId}"`);
    expect(body).toContain('ip_not_allowed');
    expect(body).toContain('198.51.100.9');
    expect(body).toContain(`href="/test/keys/${otherKeyId}"`);
    expect(body).toContain('data-refresh="5000"');
  });

  it.each([
    ['key', () => `?key=${keyId}`, 2],
    ['status', () => '?status=5', 1],
    ['method', () => '?method=POST', 1],
    ['a part of the route', () => '?route=PAYMENTS', 1],
    ['several at once', () => `?key=${keyId}&status=4&method=GET`, 1],
    ['nothing that there is', () => `?key=${newId('key')}`, 0],
  ])('is filtered by %s', async (_by, query, rows) => {
    const { status, body } = await open(query());
    expect([status, rowsIn(body)]).toEqual([200, rows]);
  });

  it('refuses filters and cursors that are none, and keeps what was typed', async () => {
    const { status, body } = await open('?status=9&request=nonsense');
    expect([status, rowsIn(body)]).toEqual([422, 0]);
    expect(body).toContain('href="#status"');
    expect(body).toContain('value="nonsense"');
    expect((await open('?cursor=bm9uc2Vuc2U')).status).toBe(400);
    expect((await open('?route=%00')).status).toBe(400);
  });

  it('goes on by cursor, and no row is on two pages', async () => {
    const { db } = site.database;
    const more = Array.from({ length: 30 }, () => request(otherKeyId, { method: 'PATCH' }));
    await writeApiRequests(db, more, site.clock.now());
    const seen: string[] = [];
    let path = '/test/requests?method=PATCH';
    while (path !== '') {
      const { body } = await site.get(path, owner);
      seen.push(
        ...[...body.matchAll(/<code>(req_[0-9a-z]{26})<\/code>/g)].map(([, id]) => id ?? ''),
      );
      const next = /href="(\/test\/requests\?[^"]*cursor=[^"]*)"/.exec(body)?.[1] ?? '';
      path = next.replaceAll('&amp;', '&');
    }
    expect(seen.sort()).toEqual(more.map(({ requestId }) => requestId).sort());
  });

  it('is no other customer’s, and not the other environment’s', async () => {
    const { db } = site.database;
    const other = await db.system((tx) => addCustomer(tx));
    const stranger = await site.logIn((await addTestUser(site.people, other, 'OWNER')).id);
    for (const [path, cookie] of [
      [`/test/requests?key=${keyId}`, stranger],
      [`/live/requests?key=${keyId}`, owner],
    ] as const) {
      const { status, body } = await site.get(path, cookie);
      expect([status, rowsIn(body)]).toEqual([200, 0]);
      expect(body).not.toContain('ip_not_allowed');
    }
  });

  it('says how to make the first request where there is none', async () => {
    const { body } = await site.get('/live/requests', owner);
    expect(body).toContain('No request yet');
    expect(body).toContain('curl');
  });
});
