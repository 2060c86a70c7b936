import type { Context } from '@temporalio/activity';
import { Worker } from '@temporalio/worker';
import { expect } from 'vitest';
import type { WebhookActivities } from '../../../activities/types.ts';
import type { EndpointRef } from '../../../src/domain/workflows/work-refs.ts';
import { createWebhookActivities } from '../../../activities/webhooks/webhooks.ts';
import { recordEvent } from '../../../src/db/webhooks/event-store.ts';
import { createActivityGuard } from '../../../src/server/temporal/activity-guard.ts';
import { TASK_QUEUES } from '../../../src/domain/workflows/task-queues.ts';
import { SILENT_WITNESS, type TestTemporal } from '../temporal.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { createWebhookHarness } from '../webhooks/webhook-harness.ts';

/** Runs work beside the workers of both queues. */
export async function withWorkers(
  temporal: TestTemporal,
  activitiesOf: (queue: string) => WebhookActivities,
  work: () => Promise<void>,
) {
  const common = {
    connection: temporal.connection,
    namespace: temporal.namespace,
    interceptors: {
      activity: [(context: Context) => ({ inbound: createActivityGuard(context, SILENT_WITNESS) })],
    },
  };
  const quick = await Worker.create({
    ...common,
    workflowBundle: temporal.workflowBundle,
    taskQueue: TASK_QUEUES.webhooks,
    activities: activitiesOf('quick'),
  });
  const slow = await Worker.create({
    ...common,
    taskQueue: TASK_QUEUES.webhooksSlow,
    activities: activitiesOf('slow'),
  });
  await slow.runUntil(quick.runUntil(work));
}

/** Wakes an endpoint's workflow, and starts it where there is none. */
export const wakeEndpoint = (temporal: TestTemporal, endpoint: EndpointRef) =>
  temporal.client.workflow.signalWithStart('webhookEndpoint', {
    workflowId: `webhook-endpoint/${endpoint.endpointId}`,
    taskQueue: TASK_QUEUES.webhooks,
    args: [endpoint],
    signal: 'wake',
    signalArgs: [],
  });

/** Events of one transaction. */
const BURST = 50;

/**
 * Records events in so many bursts and delivers them all to one endpoint. Answers how many arrived,
 * and how many events the histories of the endpoint's workflow took.
 */
export async function deliverBursts(temporal: TestTemporal, bursts: number) {
  const [receiver, harness] = await Promise.all([startReceiver(), createWebhookHarness()]);
  try {
    const { id: endpointId } = await harness.addEndpoint(receiver.url);
    const endpoint: EndpointRef = { ...harness.scope, endpointId };
    const activities = createWebhookActivities({
      ...harness.drainDeps,
      limits: undefined,
      slowTaskQueue: TASK_QUEUES.webhooksSlow,
    });
    harness.onRing = () => void wakeEndpoint(temporal, endpoint);
    const delivered = () => new Set(receiver.received.map((one) => one.id)).size;
    await withWorkers(
      temporal,
      () => activities,
      async () => {
        for (let burst = 0; burst < bursts; burst++) {
          await harness.db.write(harness.scope, async (tx) => {
            for (let n = 0; n < BURST; n++) {
              const draft = harness.draftOf(`pay_${String(burst)}_${String(n)}`, 1);
              await recordEvent(tx, harness.scope, draft, harness.clock.now());
            }
          });
        }
        const timeout = 60_000;
        await expect.poll(delivered, { timeout, interval: 100 }).toBe(bursts * BURST);
      },
    );
    return {
      delivered: delivered(),
      historyEvents: await countHistoryEvents(temporal, `webhook-endpoint/${endpointId}`),
    };
  } finally {
    await Promise.all([receiver.close(), harness.close()]);
  }
}

/** Of every run, as soon as the visibility store knows of it; at the least of the last one. */
async function countHistoryEvents(temporal: TestTemporal, workflowId: string): Promise<number> {
  let listed = 0;
  const query = `WorkflowId = "${workflowId}"`;
  for await (const run of temporal.client.workflow.list({ query })) listed += run.historyLength;
  const history = await temporal.client.workflow.getHandle(workflowId).fetchHistory();
  return Math.max(listed, history.events?.length ?? 0);
}
