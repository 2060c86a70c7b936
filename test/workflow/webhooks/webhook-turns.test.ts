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

/** As many endpoints as one customer may have in an environment. */
const DEAD = 16;
const DELIVERIES = 12;

let temporal: TestTemporal;
let harness: WebhookHarness;
let dead: HangingServer;
let receiver: Receiver;
beforeAll(async () => {
  [temporal, harness, dead, receiver] = await Promise.all([
    openTestTemporal(),
    createWebhookHarness(),
    startHangingServer(),
    startReceiver(),
  ]);
});
afterAll(async () => {
  await Promise.all([receiver.close(), harness.close(), temporal.close()]);
});

it("a customer's dead endpoints leave slots to the slow endpoint of another", async () => {
  const asked = new Set<string>();
  const activities = createWebhookActivities({
    ...harness.drainDeps,
    // So patient that a hanging delivery holds its slot until the test ends.
    openClient: (options) => openWebhookClient({ ...options, timeoutMs: 300_000 }),
    slowTaskQueue: TASK_QUEUES.webhooksSlow,
  });
  const webhooks: readonly string[] = [TASK_QUEUES.webhooks, TASK_QUEUES.webhooksSlow];
  const workers = await createWorkers({
    connection: temporal.connection,
    namespace: temporal.namespace,
    workflowBundle: temporal.workflowBundle,
    activities: {
      drainEndpoint(endpoint: Parameters<typeof activities.drainEndpoint>[0]) {
        asked.add(endpoint.endpointId);
        return activities.drainEndpoint(endpoint);
      },
    },
    slots: DEFAULT_SLOTS.filter(({ taskQueue }) => webhooks.includes(taskQueue)),
    witness: SILENT_WITNESS,
  });
  const runs = workers.map((worker) => worker.run());

  const ends: string[] = [];
  for (let n = 0; n < DEAD; n += 1) ends.push(await addSlowEndpoint(harness.scope, dead.url));
  await record(harness.scope, 'pay_of_dead', 1);
  for (const endpointId of ends) await wake(harness.scope, endpointId);
  await expect.poll(() => asked.size).toBe(DEAD);
  await expect.poll(dead.opened).toBeGreaterThanOrEqual(3);

  const other: Scope = {
    customerId: await harness.db.system((tx) => addCustomer(tx)),
    environment: 'test',
  };
  const slow = await addSlowEndpoint(other, receiver.url);
  for (let n = 0; n < DELIVERIES; n += 1) await record(other, `pay_${String(n)}`, 1);
  await wake(other, slow);
  await expect.poll(() => receiver.received.length).toBe(DELIVERIES);
  expect(dead.givenUp()).toBe(0);

  await dead.close();
  for (const worker of workers) worker.shutdown();
  await Promise.all(runs);
});

/** An endpoint whose last attempt failed. */
async function addSlowEndpoint(scope: Scope, url: string): Promise<string> {
  return harness.db.write(scope, async (tx) => {
    const endpoint = await createWebhookEndpoint(harness, tx, scope, { url });
    await recordHealth(tx, scope, endpoint, { isSlow: true, failingSince: null });
    return endpoint.id;
  });
}

const record = (scope: Scope, resourceId: string, version: number) =>
  harness.db.write(scope, (tx) =>
    recordEvent(tx, scope, harness.draftOf(resourceId, version), harness.clock.now()),
  );

const wake = (scope: Scope, endpointId: string) =>
  temporal.client.workflow.signalWithStart('webhookEndpoint', {
    workflowId: `webhook-endpoint/${endpointId}`,
    taskQueue: TASK_QUEUES.webhooks,
    args: [{ ...scope, endpointId }],
    signal: 'wake',
    signalArgs: [],
  });
