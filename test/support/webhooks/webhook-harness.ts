import {
  eventValues,
  RECORD_EVENTS_CTES,
  recordEvent,
} from '../../../src/db/webhooks/event-store.ts';
import { endpointsToWake } from '../../../src/db/webhooks/wake-after-commit.ts';
import type { EventDraft } from '../../../src/domain/webhooks/events/envelope.ts';
import type { EventType } from '../../../src/domain/webhooks/event-types.ts';
import type { Environment, Scope } from '../../../src/domain/scope.ts';
import { createWebhookEndpoint } from '../../../src/modules/webhooks/create-webhook-endpoint.ts';
import {
  drainEndpoint,
  type DrainDeps,
  type DrainRun,
} from '../../../src/modules/webhooks/drain-endpoint.ts';
import { openWebhookClient } from '../../../src/modules/webhooks/safe-fetch.ts';
import { updateWebhookEndpoint } from '../../../src/modules/webhooks/update-webhook-endpoint.ts';
import { createTestDatabase } from '../database.ts';
import { createTestClock } from '../test-clock.ts';
import { addCustomer } from '../test-customer.ts';
import { createTestVault } from '../test-vault.ts';
import { beginCustomer } from './begin-customer.ts';
import { waitForBlockedLock } from './wait-for-blocked-lock.ts';

export interface DeliveryRow {
  readonly eventId: string;
  readonly status: string;
  readonly attempts: number;
  readonly nextAttemptAt: Date;
  readonly lastStatusCode: number | null;
  readonly lastError: string | null;
}

/** One customer on a database of its own, with everything that delivering webhooks takes. */
export async function createWebhookHarness(environment: Environment = 'test') {
  const wakes: string[] = [];
  const database = await createTestDatabase((_scope, tasks) => {
    const endpointIds = endpointsToWake(tasks);
    wakes.push(...endpointIds);
    for (const endpointId of endpointIds) harness.onRing(endpointId);
  });
  const { db } = database;
  const customerId = await db.system((tx) => addCustomer(tx));
  let scope: Scope = { customerId, environment };
  // Receivers judge a signature by their own clock, so this one starts at the present.
  const clock = createTestClock(new Date());
  const vault = createTestVault();

  const drainDeps: DrainDeps = {
    db,
    vault,
    clock,
    random: () => 0.5,
    openClient: openWebhookClient,
    allowLoopbackInTest: true,
    dashboardUrl: 'http://dashboard.localhost:8081',
    limits: { runMs: 20_000, lingerMs: 10 },
  };
  const draftOf = (
    resourceId: string,
    version: number,
    type: EventType = 'payment.updated',
  ): EventDraft => ({
    type,
    resourceType: 'payment',
    resourceId,
    resourceVersion: version,
    data: { id: resourceId, version },
  });

  const turn = (id: string, status: 'ENABLED' | 'DISABLED') =>
    db.exclusive(scope, (tx) =>
      updateWebhookEndpoint({ vault, clock }, tx, scope, {
        ...{ id, patch: { status } },
        requireVersion: () => undefined,
      }),
    );

  const harness = {
    db,
    people: database.people,
    url: database.url,
    get scope() {
      return scope;
    },
    /** Before each test: from now on it is the present, of a customer that has nothing. */
    async beginTest(): Promise<void> {
      clock.advance(Date.now() - clock.now().getTime());
      wakes.length = 0;
      harness.onRing = () => undefined;
      scope = await beginCustomer(db, scope);
    },
    clock,
    vault,
    drainDeps,
    /** Endpoints woken by committed transactions, in order. */
    wakes,
    draftOf,
    addEndpoint: (url: string, types?: string[]) =>
      db.write(scope, (tx) => createWebhookEndpoint({ vault, clock }, tx, scope, { url, types })),
    record: (resourceId: string, version = 1, type?: EventType) =>
      db.write(scope, (tx) =>
        recordEvent(tx, scope, draftOf(resourceId, version, type), clock.now()),
      ),
    /** Many events in one statement, in this order; it rings for no endpoint. */
    recordAll: (drafts: readonly EventDraft[]) =>
      db.write(scope, (tx) =>
        tx.query(
          `WITH ${RECORD_EVENTS_CTES} SELECT id FROM wakes`,
          eventValues(scope, drafts, clock.now()),
        ),
      ),
    /** An event whose transaction has written it and does not commit before `commit` is called. */
    async recordLate(resourceId: string) {
      let letCommit = () => {};
      const mayCommit = new Promise<void>((resolve) => (letCommit = resolve));
      let hasWritten = () => {};
      const written = new Promise<void>((resolve) => (hasWritten = resolve));
      const done = db.write(scope, async (tx) => {
        await recordEvent(tx, scope, draftOf(resourceId, 1), clock.now());
        hasWritten();
        await mayCommit;
      });
      await written;
      return {
        commit: () => {
          letCommit();
          return done;
        },
      };
    },
    drain: (endpointId: string, run: Partial<DrainRun> = {}, deps: Partial<DrainDeps> = {}) =>
      drainEndpoint(
        { ...drainDeps, ...deps },
        { scope, endpointId, isSlowQueue: true, signal: new AbortController().signal, ...run },
      ),
    deliveries: (endpointId: string) =>
      db.read(scope, (tx) =>
        tx.query<DeliveryRow>(
          `SELECT event_id AS "eventId", status, attempts, next_attempt_at AS "nextAttemptAt",
             last_status_code AS "lastStatusCode", last_error AS "lastError"
           FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY seq`,
          [endpointId],
        ),
      ),
    endpoint: async (endpointId: string) => {
      const [row] = await db.read(scope, (tx) =>
        tx.query<{ status: string; wake_pending: boolean; isSlow: boolean; version: number }>(
          `SELECT status, wake_pending, is_slow AS "isSlow", version FROM webhook_endpoints WHERE id = $1`,
          [endpointId],
        ),
      );
      return row;
    },
    waitForBlockedLock: () => waitForBlockedLock(db),
    /** As its partner does. */
    enable: (id: string) => turn(id, 'ENABLED'),
    disable: (id: string) => turn(id, 'DISABLED'),
    /** Called for every endpoint that a committed transaction wakes. */
    onRing: (_endpointId: string): void => undefined,
    close: () => database.close(),
  };
  return harness;
}

export type WebhookHarness = Awaited<ReturnType<typeof createWebhookHarness>>;
