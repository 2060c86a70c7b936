import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Environment, Scope } from '../../../src/domain/scope.ts';
import { createWebhookEndpoint } from '../../../src/modules/webhooks/create-webhook-endpoint.ts';
import { recordEvent } from '../../../src/db/webhooks/event-store.ts';
import { drainEndpoint } from '../../../src/modules/webhooks/drain-endpoint.ts';
import { findUrlProblem } from '../../../src/modules/webhooks/find-url-problem.ts';
import { openWebhookClient } from '../../../src/modules/webhooks/safe-fetch.ts';
import { urlPolicyFor } from '../../../src/modules/webhooks/url-rules.ts';
import { createTestApp, testSettings, type TestApp } from '../../support/test-app.ts';
import { addApiKey } from '../../support/test-customer.ts';
import {
  BLOCKED_HOSTS,
  BLOCKED_URLS,
  SOME_BLOCKED_HOSTS,
} from '../../support/webhooks/blocked-hosts.ts';
import { startSocketWitness, type SocketWitness } from '../../support/webhooks/socket-witness.ts';

let harness: TestApp;
let witness: SocketWitness;
const tokens: Partial<Record<Environment, string>> = {};
beforeAll(async () => {
  const settings = testSettings({ webhookAllowLoopbackInTest: false });
  harness = await createTestApp({ settings });
  const { customerId } = harness.scope;
  const live = { customerId, environment: 'live', approvedRanges: ['127.0.0.1/32'] } as const;
  const key = await harness.database.db.system((tx) => addApiKey(tx, harness.vault, live));
  Object.assign(tokens, { test: harness.token, live: key.token });
});
afterAll(() => harness.close());
beforeEach(async () => {
  witness = await startSocketWitness();
  return () => witness.close();
});

/** In live only port 443 is allowed, so there the port must not be what a URL is refused for. */
const portFor = (environment: Environment): string =>
  environment === 'live' ? '' : `:${String(witness.port)}`;
const urlsFor = (environment: Environment): string[] => [
  ...BLOCKED_HOSTS.map((host) => `https://${host}${portFor(environment)}/`),
  ...BLOCKED_URLS(portFor(environment)),
];
/** Some of them, each of another kind. */
const someFor = (environment: Environment): string[] => [
  ...SOME_BLOCKED_HOSTS.map((host) => `https://${host}${portFor(environment)}/`),
  ...BLOCKED_URLS(portFor(environment)).slice(0, 1),
];
/** What allows this machine in test must count in test alone. */
const policyOf = (environment: Environment) => urlPolicyFor(environment, environment === 'live');

const scopeOf = (environment: Environment): Scope => ({ ...harness.scope, environment });

async function call(
  environment: Environment,
  method: 'POST' | 'PATCH',
  path: string,
  body: object,
) {
  const answer = await harness.app.inject({
    ...{ method, url: `/api/v1/webhook-endpoints${path}`, payload: body },
    headers: { authorization: `Bearer ${tokens[environment] ?? ''}` },
  });
  return { status: answer.statusCode, json: answer.json<Record<string, unknown>>() };
}

/** An endpoint as it would be, had its URL passed at save. */
const addEndpoint = (environment: Environment, url: string) =>
  harness.database.db.write(scopeOf(environment), (tx) =>
    createWebhookEndpoint(harness, tx, scopeOf(environment), { url }),
  );

const moveTo = (id: string, environment: Environment, url: string) =>
  harness.database.db.write(scopeOf(environment), (tx) =>
    tx.query('UPDATE webhook_endpoints SET url = $1 WHERE id = $2', [url, id]),
  );

const expectNoConnection = () => {
  expect(witness.dialled).toEqual([]);
  expect(witness.accepted()).toBe(0);
};

describe('the witnesses', () => {
  it('see a connection to each kind of address that is allowed', async () => {
    const policy = { isLive: false, allowLoopback: true };
    const options = { policy, clock: harness.clock, connectionsMax: 1 };
    const resolve = () => Promise.resolve(['127.0.0.1', '127.0.0.2']);
    for (const host of ['127.0.0.1', '127.3', 'hooks.example.com']) {
      const client = openWebhookClient({ ...options, resolve });
      await client.post(`http://${host}:${String(witness.port)}/`, {}, '{}');
      await client.close();
    }
    expect(witness.accepted()).toBe(3);
    expect(witness.dialled).toEqual(['127.0.0.1', '127.0.0.3', '127.0.0.1']);
  });

  it('are asked about more than a hundred forms', () => {
    expect(new Set(urlsFor('test')).size).toBeGreaterThan(100);
  });
});

describe.each(['test', 'live'] as const)('an address that is blocked, in %s', (environment) => {
  it('is a problem of its URL, whatever it is written like', async () => {
    for (const url of urlsFor(environment)) {
      expect(await findUrlProblem(url, policyOf(environment)), url).toMatchObject({
        code: 'validation_failed',
        details: [{ path: '/url' }],
      });
    }
    expectNoConnection();
  });

  it('is never connected to, whatever it is written like', async () => {
    const policy = policyOf(environment);
    const client = openWebhookClient({ policy, clock: harness.clock, connectionsMax: 1 });
    for (const url of urlsFor(environment)) {
      const code = expect.stringMatching(/^(URL|ADDRESS)_REFUSED$/) as string;
      expect(await client.post(url, {}, '{}'), url).toMatchObject({ kind: 'FAILED', code });
    }
    await client.close();
    expectNoConnection();
  });

  it('is refused at save', async () => {
    const { id } = await addEndpoint(environment, 'https://hooks.example.com/');
    for (const url of someFor(environment)) {
      for (const [method, path] of [
        ['POST', ''],
        ['PATCH', `/${id}`],
      ] as const) {
        const { status, json } = await call(environment, method, path, { url });
        expect(status, `${method} ${url}`).toBe(400);
        expect(json, url).toMatchObject({
          error: 'validation_failed',
          details: [{ path: '/url' }],
        });
      }
    }
    expectNoConnection();
  });

  it('is never connected to by a test', async () => {
    const { id } = await addEndpoint(environment, 'https://hooks.example.com/');
    for (const url of someFor(environment)) {
      await moveTo(id, environment, url);
      const { status, json } = await call(environment, 'POST', `/${id}/test`, {});
      expect(status, url).toBe(200);
      expect(json, url).toMatchObject({ delivered: false, statusCode: null });
      expect(['URL_REFUSED', 'ADDRESS_REFUSED'], url).toContain(json['error']);
    }
    expectNoConnection();
  });

  it('is never connected to by a delivery, each of which is one recorded failure', async () => {
    const { db } = harness.database;
    const scope = scopeOf(environment);
    const { id } = await addEndpoint(environment, 'https://hooks.example.com/');
    const urls = someFor(environment);
    for (const [n, url] of urls.entries()) {
      await moveTo(id, environment, url);
      const event = {
        ...{
          type: 'payment.updated' as const,
          resourceType: 'payment' as const,
          resourceVersion: 1,
        },
        ...{ resourceId: `pay_${environment}_${String(n)}`, data: {} },
      };
      await db.write(scope, (tx) => recordEvent(tx, scope, event, harness.clock.now()));
      await drainEndpoint(
        {
          ...{ db, vault: harness.vault, clock: harness.clock, random: () => 0.5 },
          // What allows loopback in test must count in test alone.
          ...{ openClient: openWebhookClient, allowLoopbackInTest: environment === 'live' },
          dashboardUrl: 'http://dashboard.localhost:8081',
          limits: { runMs: 20_000, lingerMs: 1 },
        },
        { scope, endpointId: id, isSlowQueue: true, signal: new AbortController().signal },
      );
    }
    const attempts = await db.read(scope, (tx) =>
      tx.query<{ number: number; error: string; status: number | null }>(
        `SELECT number, error, status_code AS status FROM webhook_attempts WHERE endpoint_id = $1`,
        [id],
      ),
    );
    expect(attempts).toHaveLength(urls.length);
    for (const { number, error, status } of attempts) {
      expect({ number, status }).toEqual({ number: 1, status: null });
      expect(['URL_REFUSED', 'ADDRESS_REFUSED']).toContain(error);
    }
    expectNoConnection();
  });
});
