import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../../src/server/config/config.ts';
import { openResources, type Resources } from '../../../src/server/runtime/resources.ts';
import { startApi } from '../../../src/server/runtime/start-api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { SAMPLE_KEYS } from '../../support/sample-secrets.ts';
import { addApiKey, addCustomer, signLiveAccess } from '../../support/test-customer.ts';

let database: TestDatabase;
let resources: Resources;
let api: Awaited<ReturnType<typeof startApi>>;
beforeAll(async () => {
  database = await createTestDatabase();
  const config = readConfig({
    ...{ ...SAMPLE_KEYS, DATABASE_URL: database.url, OPS_PASSKEY: 'software' },
    ...{ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent' },
  });
  // No request of these asks Temporal.
  const nowhere = { namespace: 'default', connection: { address: '127.0.0.1:1' } };
  resources = await openResources(config, nowhere, 'test');
  api = await startApi(resources);
});
afterAll(async () => {
  await api.stop();
  await resources.close();
  await database.close();
});

it('the API lets a live key in once two operators have signed its live access', async () => {
  const { vault } = resources;
  const customerId = await database.people.system((tx) => addCustomer(tx));
  const order = { customerId, environment: 'live', approvedRanges: ['127.0.0.1/32'] } as const;
  const { token } = await database.people.system((tx) => addApiKey(tx, vault, order));
  const ask = async () => {
    const answer = await fetch(`${api.url}/api/v1/balances`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return [answer.status, ((await answer.json()) as { error?: string }).error];
  };
  expect(await ask()).toEqual([403, 'live_access_not_granted']);
  await database.people.system((tx) => signLiveAccess(tx, vault, customerId));
  expect(await ask()).toEqual([200, undefined]);
});
