import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi, type MockInstance } from 'vitest';
import { setCustomerStatus } from '../../support/set-customer-status.ts';
import { startSlowPost } from '../../support/slow-post.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';
import { addApiKey, addCustomer, setLiveAccess } from '../../support/test-customer.ts';
import { until } from '../../support/until.ts';

let harness: TestApp;
let port: number;
let found: MockInstance<TestApp['database']['db']['query']>;
beforeAll(async () => {
  harness = await createTestApp();
  found = vi.spyOn(harness.database.db, 'query');
  await harness.app.listen({ port: 0, host: '127.0.0.1' });
  port = (harness.app.server.address() as AddressInfo).port;
});
afterAll(() => harness.close());

const lookUps = () => found.mock.calls.filter(([text]) => text.includes('find_api_keys')).length;
const rows = <Row extends object>(sql: string, values: unknown[] = []) =>
  harness.database.people.system((tx) => tx.query<Row>(sql, values));
const ORDER = { type: 'INDIVIDUAL', individual: { firstName: 'Ada', lastName: 'Sample' } };
const BODY = JSON.stringify(ORDER);

/** A live key of a customer of its own, from 127.0.0.1, and a request of it whose head was judged. */
async function startOrder() {
  const { db } = harness.database;
  const customerId = await db.system((tx) => addCustomer(tx));
  const approvedRanges = ['127.0.0.1/32'];
  const key = await db.system((tx) =>
    addApiKey(tx, harness.vault, { customerId, environment: 'live', approvedRanges }),
  );
  const before = lookUps();
  const headers = {
    ...{ host: '127.0.0.1', authorization: `Bearer ${key.token}` },
    'content-type': 'application/json',
  };
  const slow = await startSlowPost(port, '/api/v1/end-users', headers, BODY);
  await until('the head to be judged', () => (lookUps() > before ? true : null));
  await Promise.all(found.mock.results.map(({ value }) => value as Promise<unknown>));
  const made = async () =>
    (await rows('SELECT FROM end_users WHERE customer_id = $1', [customerId])).length;
  return { slow, key, customerId, made };
}
type Order = Awaited<ReturnType<typeof startOrder>>;

const asSuperuser = (statement: string, ids: readonly string[]) =>
  harness.database.people.system(async (tx) => {
    await tx.query(
      `SELECT set_config('role', 'none', true), set_config('session_replication_role', 'replica', true)`,
    );
    await tx.query(statement, ids);
  });

describe('while the body of a request is still coming', () => {
  it('nothing is withdrawn, and it is accepted', async () => {
    const { slow, made } = await startOrder();
    const answer = await slow.finish();
    expect(answer.status, answer.text).toBe(201);
    expect(await made()).toBe(1);
  });

  const withdrawals: Readonly<Record<string, (order: Order) => Promise<unknown>>> = {
    api_key_revoked: ({ key }) =>
      rows('UPDATE api_keys SET revoked_at = $2 WHERE id = $1', [key.id, harness.clock.now()]),
    ip_not_allowed: ({ key }) =>
      rows(
        `UPDATE api_key_addresses SET removed_by = 'USER:usr_test', removed_at = $2,
         version = version + 1 WHERE api_key_id = $1`,
        [key.id, harness.clock.now()],
      ),
    customer_suspended: ({ customerId }) =>
      setCustomerStatus(harness.database.url, customerId, 'SUSPENDED'),
    live_access_not_granted: ({ customerId }) =>
      harness.database.db.system((tx) => setLiveAccess(tx, customerId, false)),
    insufficient_scope: ({ key }) =>
      asSuperuser(`UPDATE api_keys SET scopes = '{payments:read}' WHERE id = $1`, [key.id]),
    api_key_expired: async () => harness.clock.advance(400 * 24 * 3_600_000),
  };
  it.each(Object.keys(withdrawals))('%s: refused, and nothing changed', async (code) => {
    const order = await startOrder();
    await withdrawals[code]?.(order);
    const { status, text } = await order.slow.finish();
    expect(text).toContain(`"error":"${code}"`);
    expect([401, 403]).toContain(status);
    expect(await order.made()).toBe(0);
  });
});

describe('a request whose body comes with its head', () => {
  it('looks its key up once: no statement more', async () => {
    const before = lookUps();
    const answer = await harness.app.inject({
      ...{ method: 'POST', url: '/api/v1/end-users', payload: ORDER },
      headers: harness.headers,
    });
    expect(answer.statusCode, answer.body).toBe(201);
    expect(lookUps() - before).toBe(1);
  });
});
