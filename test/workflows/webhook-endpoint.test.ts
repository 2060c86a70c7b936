import type { Context } from '@temporalio/activity';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DrainOutcome, EndpointRef, WebhookActivities } from '../../activities/types.ts';
import { createWebhookActivities } from '../../activities/webhooks.ts';
import { recordEvent } from '../../src/db/event-store.ts';
import { createActivityGuard } from '../../src/temporal/activity-guard.ts';
import { TASK_QUEUES } from '../../workflows/task-queues.ts';
import { openTestTemporal, type TestTemporal } from '../support/temporal.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { createWebhookHarness } from '../webhooks/webhook-harness.ts';

let temporal: TestTemporal;
beforeAll(async () => {
  temporal = await openTestTemporal();
});
afterAll(() => temporal.close());

/** Runs work beside the workers of both lanes. */
async function withWorkers(
  activitiesOf: (lane: string) => WebhookActivities,
  work: () => Promise<void>,
) {
  const common = {
    connection: temporal.connection,
    namespace: temporal.namespace,
    interceptors: {
      activity: [(context: Context) => ({ inbound: createActivityGuard(context, () => {}) })],
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

const ring = (endpoint: EndpointRef) =>
  temporal.client.workflow.signalWithStart('webhookEndpoint', {
    workflowId: `webhook-endpoint/${endpoint.endpointId}`,
    taskQueue: TASK_QUEUES.webhooks,
    args: [endpoint],
    signal: 'wake',
    signalArgs: [],
  });

const refTo = (endpointId: string): EndpointRef => ({
  customerId: 'cus_1',
  environment: 'test',
  endpointId,
});

/** Answers the given outcomes one after the other, GONE at last, and tells who was asked. */
function scripted(script: ((endpoint: EndpointRef) => Promise<DrainOutcome> | DrainOutcome)[]) {
  const lanes: string[] = [];
  const activitiesOf = (lane: string): WebhookActivities => ({
    async drainEndpoint(endpoint) {
      lanes.push(lane);
      return (await script[lanes.length - 1]?.(endpoint)) ?? { kind: 'GONE' };
    },
  });
  return { lanes, activitiesOf };
}

describe("an endpoint's workflow", () => {
  it('drains first, again at the due time, in the lane that the last drain named, and ends', async () => {
    const { lanes, activitiesOf } = scripted([
      () => ({ kind: 'DUE', waitMs: 50, isSlow: true }),
      () => ({ kind: 'DUE', waitMs: 0, isSlow: true }),
      () => ({ kind: 'DUE', waitMs: 0, isSlow: false }),
    ]);
    await withWorkers(activitiesOf, async () => {
      await (await ring(refTo('whe_lanes'))).result();
    });
    expect(lanes).toEqual(['quick', 'slow', 'slow', 'quick']);
  });

  it('drains once more for a wake that rings while it drains, waits or has found the endpoint gone', async () => {
    const { lanes, activitiesOf } = scripted([
      async (endpoint) => {
        await ring(endpoint);
        return { kind: 'IDLE', isSlow: false };
      },
      () => ({ kind: 'IDLE', isSlow: false }),
      () => ({ kind: 'DUE', waitMs: 3_600_000, isSlow: false }),
      async (endpoint) => {
        await ring(endpoint);
        return { kind: 'GONE' };
      },
    ]);
    const endpoint = refTo('whe_wakes');
    await withWorkers(activitiesOf, async () => {
      const handle = await ring(endpoint);
      await expect.poll(() => lanes.length).toBe(2);
      await ring(endpoint);
      await expect.poll(() => lanes.length).toBe(3);
      await ring(endpoint);
      await handle.result();
    });
    expect(lanes).toHaveLength(5);
  });

  it('10,000 events cost at most 600 history events', async () => {
    const [receiver, harness] = await Promise.all([startReceiver(), createWebhookHarness()]);
    try {
      const { id: endpointId } = await harness.addEndpoint(receiver.url);
      const endpoint: EndpointRef = { ...harness.scope, endpointId };
      const activities = createWebhookActivities({
        ...harness.drainDeps,
        limits: undefined,
        slowTaskQueue: TASK_QUEUES.webhooksSlow,
      });
      let rings = 0;
      harness.onRing = () => {
        rings++;
        void ring(endpoint);
      };
      await withWorkers(
        () => activities,
        async () => {
          for (let burst = 0; burst < 200; burst++) {
            await harness.db.write(harness.scope, async (tx) => {
              for (let n = 0; n < 50; n++) {
                const draft = harness.draftOf(`pay_${String(burst)}_${String(n)}`, 1);
                await recordEvent(tx, harness.scope, draft, harness.clock.now());
              }
            });
          }
          const ids = () => new Set(receiver.received.map((one) => one.id)).size;
          await expect.poll(ids, { timeout: 60_000, interval: 100 }).toBe(10_000);
        },
      );
      let historyEvents = 0;
      const query = `WorkflowId = "webhook-endpoint/${endpointId}"`;
      for await (const run of temporal.client.workflow.list({ query })) {
        historyEvents += run.historyLength;
      }
      const history = await temporal.client.workflow
        .getHandle(`webhook-endpoint/${endpointId}`)
        .fetchHistory();
      historyEvents = Math.max(historyEvents, history.events?.length ?? 0);
      expect(rings).toBeGreaterThan(0);
      expect(historyEvents).toBeLessThanOrEqual(600);
    } finally {
      await Promise.all([receiver.close(), harness.close()]);
    }
  }, 120_000);
});
