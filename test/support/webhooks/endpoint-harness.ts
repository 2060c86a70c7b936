import { expect } from 'vitest';
import { recordEvent } from '../../../src/db/webhooks/event-store.ts';
import type { EventDraft } from '../../../src/domain/webhooks/events/envelope.ts';
import type { EventType } from '../../../src/domain/webhooks/event-types.ts';
import { drainEndpoint } from '../../../src/modules/webhooks/drain-endpoint.ts';
import { openWebhookClient } from '../../../src/modules/webhooks/safe-fetch.ts';
import { createTestApp } from '../test-app.ts';
import { createTestClock } from '../test-clock.ts';
import { addApiKey } from '../test-customer.ts';
import { beginCustomer } from './begin-customer.ts';
import { startReceiver } from './receiver.ts';
import { waitForBlockedLock } from './wait-for-blocked-lock.ts';

export interface Endpoint {
  readonly id: string;
  readonly secret: string;
  readonly version: number;
  readonly status: string;
}

/** The API, a receiver, and what the worker does for an endpoint, over one database. */
export async function startEndpointHarness() {
  // The receiver judges signatures by its own clock.
  const clock = createTestClock(new Date());
  const harness = await createTestApp({ clock });
  const receiver = await startReceiver();
  const answerByDefault = receiver.answer;
  const { db } = harness.database;
  let { scope, token } = harness;

  const call = async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ) => {
    const answer = await harness.app.inject({
      ...{ method, url: `/api/v1${path}` },
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body === undefined ? {} : { payload: body }),
    });
    const json = answer.body === '' ? {} : answer.json<Record<string, unknown>>();
    return { status: answer.statusCode, headers: answer.headers, json };
  };
  const turn = (id: string, status: 'ENABLED' | 'DISABLED') =>
    call('PATCH', `/webhook-endpoints/${id}`, { status });
  return {
    ...{ db, clock, receiver, call, vault: harness.vault },
    ...{ app: harness.app, url: harness.database.url },
    get scope() {
      return scope;
    },
    get token() {
      return token;
    },
    /** Before each test: from now on it is the present, of a customer that has nothing, and receivers answer 204. */
    async beginTest(): Promise<void> {
      clock.advance(Date.now() - clock.now().getTime());
      receiver.received.length = 0;
      receiver.answer = answerByDefault;
      scope = await beginCustomer(db, scope);
      const { customerId } = scope;
      ({ token } = await db.system((tx) => addApiKey(tx, harness.vault, { customerId })));
    },
    async addEndpoint(more: object = {}): Promise<Endpoint> {
      const { status, json } = await call('POST', '/webhook-endpoints', {
        url: receiver.url,
        ...more,
      });
      expect(status).toBe(201);
      return json as unknown as Endpoint;
    },
    /** Enables or disables it, as its partner does. */
    turn,
    /** The same until it could be alone in the scope. */
    async turnInTheEnd(id: string, status: 'ENABLED' | 'DISABLED') {
      for (;;) {
        const answer = await turn(id, status);
        if (answer.status !== 503) return answer;
      }
    },
    record(resourceId: string, resourceVersion = 1, type: EventType = 'payment.updated') {
      const data = { id: resourceId, version: resourceVersion };
      const draft: EventDraft = {
        ...{ type, resourceType: 'payment', resourceId, resourceVersion, data },
        previous: { version: resourceVersion - 1 },
      };
      return db.write(scope, (tx) => recordEvent(tx, scope, draft, clock.now()));
    },
    /** An event whose transaction has written it and does not commit before `commit` is called. */
    async recordLate(resourceId: string) {
      const [mayCommit, written] = [withResolvers(), withResolvers()];
      const draft: EventDraft = {
        ...{ type: 'payment.updated', resourceType: 'payment', resourceId, resourceVersion: 1 },
        data: { id: resourceId, version: 1 },
      };
      const done = db.write(scope, async (tx) => {
        await recordEvent(tx, scope, draft, clock.now());
        written.resolve();
        await mayCommit.promise;
      });
      await written.promise;
      return {
        commit: () => {
          mayCommit.resolve();
          return done;
        },
      };
    },
    waitForBlockedLock: () => waitForBlockedLock(db),
    /** Rows as the app sees them; waits for no one. */
    rows: <Row extends object>(sql: string, values: readonly unknown[] = []) =>
      db.read(scope, (tx) => tx.query<Row>(sql, values)),
    drain: (endpointId: string) =>
      drainEndpoint(
        {
          ...{ db, vault: harness.vault, clock, random: () => 0.5 },
          ...{ openClient: openWebhookClient, allowLoopbackInTest: true },
          dashboardUrl: 'http://dashboard.localhost:8081',
          limits: { runMs: 20_000, lingerMs: 10 },
        },
        { scope, endpointId, isSlowQueue: true, signal: new AbortController().signal },
      ),
    eventTypes: async () => {
      const rows = await db.read(scope, (tx) =>
        tx.query<{ type: string }>('SELECT type FROM events ORDER BY seq'),
      );
      return rows.map(({ type }) => type);
    },
    /** What arrived since the last look, as "id of the resource/version". */
    takeReceived(): string[] {
      return receiver.received.splice(0).map(({ body }) => {
        const { resource } = JSON.parse(body) as { resource: { id: string; version: number } };
        return `${resource.id}/${String(resource.version)}`;
      });
    },
    async close() {
      await receiver.close();
      await harness.close();
    },
  };
}

/** A promise that is resolved from outside. */
function withResolvers() {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}
