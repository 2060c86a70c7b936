import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWebhookActivities } from '../../../activities/webhooks/webhooks.ts';
import { recordEvent } from '../../../src/db/webhooks/event-store.ts';
import { recordHealth } from '../../../src/db/webhooks/endpoint-health-store.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { createWorkers } from '../../../src/server/temporal/worker.ts';
import { DEFAULT_SLOTS } from '../../../src/server/temporal/worker-slots.ts';
import { createWebhookEndpoint } from '../../../src/modules/webhooks/create-webhook-endpoint.ts';
import { openWebhookClient } from '../../../src/modules/webhooks/safe-fetch.ts';
import { TASK_QUEUES } from '../../../src/domain/workflows/task-queues.ts';
import { startHangingServer, type HangingServer } from '../../support/hanging-server.ts';
import { SILENT_WITNESS, openTestTemporal, type TestTemporal } from '../../support/temporal.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { startReceiver, type Receiver } from '../../support/webhooks/receiver.ts';
import {
  createWebhookHarness,
  type WebhookHarness,
} from '../../support/webhooks/webhook-harness.ts';
import { wakeEndpoint } from '../../support/workflow/webhook-workers.ts';

/** As many endpoints as a customer may have in an environment. */
const DEAD = 16;
/** Fewer than those, so that they would fill either signer account if they could. */
const QUICK_SLOTS = 8;
const SLOW_SLOTS = 6;
const HEALTHY = 3;
const ROUNDS = 6;

let temporal: TestTemporal;
let harness: WebhookHarness;
let dead: HangingServer;
let receiver: Receiver;
const scopes = new Map<string, Scope>();
beforeAll(async () => {
  [temporal, harness, dead, receiver] = await Promise.all([
    openTestTemporal(),
    createWebhookHarness(),
    startHangingServer(),
    startReceiver(),
  ]);
  harness.onRing = (endpointId) => {
    const scope = scopes.get(endpointId);
    if (scope !== undefined) void wakeEndpoint(temporal, { ...scope, endpointId });
  };
});
afterAll(async () => {
  await Promise.all([receiver.close(), harness.close(), temporal.close()]);
});

it("a customer's sixteen hanging endpoints delay no other customer's, healthy or slow", async () => {
  const workers = await startWorkers();
  const healthy: Scope[] = [];
  for (let n = 0; n < HEALTHY; n += 1) healthy.push(await addOther(receiver.url, false));
  await deliverToEach(healthy, 'quiet', 2);

  const ends: string[] = [];
  for (let n = 0; n < DEAD; n += 1) ends.push(await addEndpoint(harness.scope, dead.url, true));
  for (let n = 0; n < 10; n += 1) await record(harness.scope, `pay_of_dead_${String(n)}`);
  await expect.poll(dead.opened).toBeGreaterThanOrEqual(3 * 8);
  const slow = await addOther(receiver.url, true);
  // A signer account without a free slot would cost as long as they hang: five minutes.
  await deliverToEach(healthy, 'loud', ROUNDS);
  await deliverToEach([slow], 'slow', 1);

  // All of it while each dead endpoint's first requests were still waited for.
  expect(dead.givenUp()).toBe(0);
  await dead.close();
  await workers.stop();
});

async function startWorkers() {
  const activities = createWebhookActivities({
    ...harness.drainDeps,
    // A drain that is under way when the next event comes would hide the signer accounts: none lingers.
    limits: { runMs: 20_000, lingerMs: 1 },
    // So patient that a hanging delivery holds its slot until the test ends.
    openClient: (options) => openWebhookClient({ ...options, timeoutMs: 300_000 }),
    slowTaskQueue: TASK_QUEUES.webhooksSlow,
  });
  const slotsOf = new Map<string, number>([
    [TASK_QUEUES.webhooks, QUICK_SLOTS],
    [TASK_QUEUES.webhooksSlow, SLOW_SLOTS],
  ]);
  const workers = await createWorkers({
    connection: temporal.connection,
    namespace: temporal.namespace,
    workflowBundle: temporal.workflowBundle,
    activities: { ...activities },
    slots: DEFAULT_SLOTS.flatMap((slots) => {
      const count = slotsOf.get(slots.taskQueue);
      return count === undefined ? [] : [{ ...slots, activities: count }];
    }),
    witness: SILENT_WITNESS,
  });
  const runs = workers.map((worker) => worker.run());
  return {
    async stop() {
      for (const worker of workers) worker.shutdown();
      await Promise.all(runs);
    },
  };
}

/** Events one after the other, each of them waited for. */
async function deliverToEach(to: readonly Scope[], name: string, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    for (const scope of to) {
      const before = receiver.received.length;
      await record(scope, `pay_${name}_${scope.customerId}_${String(round)}`);
      await expect.poll(() => receiver.received.length, { interval: 5 }).toBe(before + 1);
    }
  }
}

/** Another customer, with one endpoint. */
async function addOther(url: string, isSlow: boolean): Promise<Scope> {
  const customerId = await harness.db.system((tx) => addCustomer(tx));
  const scope: Scope = { customerId, environment: 'test' };
  await addEndpoint(scope, url, isSlow);
  return scope;
}

/** `isSlow`: its last attempt failed. */
async function addEndpoint(scope: Scope, url: string, isSlow: boolean): Promise<string> {
  const id = await harness.db.write(scope, async (tx) => {
    const made = await createWebhookEndpoint(harness, tx, scope, { url });
    if (isSlow) await recordHealth(tx, scope, made, { isSlow, failingSince: null });
    return made.id;
  });
  scopes.set(id, scope);
  return id;
}

const record = (scope: Scope, resourceId: string) =>
  harness.db.write(scope, (tx) =>
    recordEvent(tx, scope, harness.draftOf(resourceId, 1), harness.clock.now()),
  );
