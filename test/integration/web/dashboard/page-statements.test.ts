import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeApiRequests } from '../../../../src/db/customers/api-request-store.ts';
import { newId } from '../../../../src/db/client/new-id.ts';
import { addApiKey } from '../../../support/test-customer.ts';
import { addTestUser } from '../../../support/test-people.ts';
import {
  startWebhookSite,
  type WebhookSite,
} from '../../../support/web/dashboard/webhooks-harness.ts';

/** The most that one page may ask of PostgreSQL, transactions and the session's look-up included. */
const STATEMENTS_MAX = 12;

let harness: WebhookSite;
let endpointId: string;
let eventId: string;
let keyId: string;
let userId: string;
beforeAll(async () => {
  harness = await startWebhookSite();
  endpointId = (await harness.addEndpoint()).id;
  harness.receiver.answer = (_request, response) => response.writeHead(500).end();
  for (let n = 0; n < 30; n += 1) await harness.record(`pay_${String(n)}`);
  await harness.drain(endpointId);
  const { body } = await harness.site.get(`/test/webhooks/${endpointId}`, harness.owner);
  const { site, db, customerId } = harness;
  for (let n = 0; n < 9; n += 1) {
    keyId = (await db.system((tx) => addApiKey(tx, site.vault, { customerId }))).id;
    userId = (await addTestUser(site.people, customerId, 'VIEWER')).id;
  }
  const requests = Array.from({ length: 30 }, () => ({
    ...{ apiKeyId: keyId, requestId: newId('req'), at: site.clock.now(), method: 'GET' },
    ...{ route: '/api/v1/balances', status: 403, errorCode: 'ip_not_allowed', durationMs: 1 },
    ...{ address: '198.51.100.9', paymentId: null },
  }));
  await writeApiRequests(db, requests, site.clock.now());
  eventId = /deliveries\/(evt_[0-9a-z]{26})/.exec(body)?.[1] ?? '';
});
afterAll(() => harness.close());

/** Counts what every connection of this process sends while work runs. */
async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const { query } = pg.Client.prototype;
  let count = 0;
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    count += 1;
    return Reflect.apply(query, this, given) as never;
  };
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return count;
}

describe('a page of webhooks, keys, users, requests or the audit log', () => {
  it('takes at most twelve statements, however much there is', async () => {
    const { site, owner } = harness;
    const page = `/test/webhooks/${endpointId}`;
    const key = `/test/keys/${keyId}`;
    for (const path of [
      ...['/test/webhooks', '/test/webhooks/new', page, `${page}?status=PENDING`, `${page}/edit`],
      ...[`${page}/deliveries/${eventId}`, '/test/requests', '/test/requests?status=2', '/audit'],
      ...['/test/keys', '/test/keys/new', key, `${key}/rotate`, `${key}/addresses/new`],
      ...['/users', '/users/invite', `/users/${userId}`, '/test/home'],
    ]) {
      let status = 0;
      const count = await countStatements(async () => {
        ({ status } = await site.get(path, owner));
      });
      expect(status, path).toBe(200);
      expect(count, path).toBeGreaterThan(0);
      expect(count, path).toBeLessThanOrEqual(STATEMENTS_MAX);
    }
  });
});
