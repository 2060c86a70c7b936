import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { revokeApiKey } from '../../../src/modules/customers/revoke-api-key.ts';
import { removeAddress } from '../../../src/modules/customers/remove-address.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser } from '../../support/test-people.ts';
import { startSite, type Site } from '../../support/web/site.ts';

const BY = { kind: 'USER', id: 'usr_test' } as const;

let api: TestApp;
let otherApi: TestApp;
let dashboards: readonly [Site, Site];
let consoles: readonly [Site, Site];
let customerId: string;
beforeAll(async () => {
  api = await createTestApp();
  otherApi = await createTestApp({ db: api.database.db });
  const on = { database: api.database, clock: api.clock };
  dashboards = [await startSite('dashboard', { on }), await startSite('dashboard', { on })];
  consoles = [await startSite('console', { on }), await startSite('console', { on })];
  customerId = await api.database.db.system((tx) => addCustomer(tx));
});
afterAll(async () => {
  await Promise.all([...dashboards, ...consoles].map((site) => site.close()));
  await otherApi.close();
  await api.close();
});

const people = <Row extends object>(sql: string, ...values: unknown[]) =>
  api.database.people.system((tx) => tx.query<Row>(sql, values));

/** How each process answers to the first request after the commit whom it let in before. */
async function answersAfter(
  ask: () => Promise<readonly number[]>,
  withdraw: () => Promise<unknown>,
): Promise<readonly number[]> {
  for (const status of await ask()) expect([200, 303]).toContain(status);
  await withdraw();
  return ask();
}

const askSites = (sites: readonly Site[], cookie: string) => () =>
  Promise.all(sites.map(async (site) => (await site.get('/settings', cookie)).status));

describe('who is let in no more is refused by every process from the next request on', () => {
  it.each([
    ['a revoked session', `UPDATE sessions SET ended_at = created_at WHERE user_id = $1`],
    ['a disabled user', `UPDATE users SET status = 'DISABLED' WHERE id = $1`],
    ['a lowered role', `UPDATE users SET role = 'VIEWER' WHERE id = $1`],
  ])('%s, on the dashboard', async (_what, sql) => {
    const { id } = await addTestUser(dashboards[0].people, customerId, 'DEVELOPER');
    const cookie = await dashboards[0].logIn(id);
    expect(await answersAfter(askSites(dashboards, cookie), () => people(sql, id))).toEqual([
      ...[303, 303],
    ]);
  });
  it.each([
    ['a revoked session', `UPDATE sessions SET ended_at = created_at WHERE operator_id = $1`],
    ['a disabled operator', `UPDATE operators SET status = 'DISABLED' WHERE id = $1`],
    ['a lowered role', `UPDATE operators SET role = 'SUPPORT' WHERE id = $1`],
  ])('%s, in the console', async (_what, sql) => {
    const { id } = await addTestOperator(consoles[0].people, 'COMPLIANCE');
    const cookie = await consoles[0].logIn(id);
    expect(await answersAfter(askSites(consoles, cookie), () => people(sql, id))).toEqual([
      ...[303, 303],
    ]);
  });

  const askApis = (token: string) => () =>
    Promise.all(
      [api.app, otherApi.app].map(async (app) => {
        const headers = { authorization: `Bearer ${token}` };
        return (await app.inject({ url: '/api/v1/balances', headers })).statusCode;
      }),
    );
  const addKey = (approvedRanges: string[]) =>
    api.database.db.system((tx) =>
      addApiKey(tx, api.vault, { customerId, environment: 'live', approvedRanges }),
    );
  const deps = () => ({ vault: api.vault, clock: api.clock, dashboardUrl: 'http://x.localhost' });
  const scope = () => ({ customerId, environment: 'live' }) as const;

  it('a revoked key', async () => {
    const key = await addKey(['127.0.0.1/32']);
    const answers = await answersAfter(askApis(key.token), () =>
      api.database.people.write(scope(), (tx) =>
        revokeApiKey(deps(), tx, scope(), { keyId: key.id, by: BY }),
      ),
    );
    expect(answers).toEqual([401, 401]);
  });

  it('a removed address', async () => {
    const key = await addKey(['127.0.0.1/32']);
    const [address] = await people<{ id: string }>(
      'SELECT id FROM api_key_addresses WHERE api_key_id = $1',
      key.id,
    );
    const answers = await answersAfter(askApis(key.token), () =>
      api.database.people.write(scope(), (tx) =>
        removeAddress(deps(), tx, scope(), { apiKeyId: key.id, id: address?.id ?? '', by: BY }),
      ),
    );
    expect(answers).toEqual([403, 403]);
  });
});
