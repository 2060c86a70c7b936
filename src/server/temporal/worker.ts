import {
  Worker,
  type NativeConnection,
  type WorkerOptions,
  type WorkflowBundle,
} from '@temporalio/worker';
import { createActivityGuard, type ActivityWitness } from './activity-guard.ts';
import type { QueueSlots } from './worker-slots.ts';

/** One worker a task queue, each with slots of its own, over one connection. */
export async function createWorkers(deps: {
  readonly connection: NativeConnection;
  readonly namespace: string;
  /** Null where no queue runs workflows. */
  readonly workflowBundle: WorkflowBundle | null;
  readonly activities: object;
  readonly slots: readonly QueueSlots[];
  readonly witness: ActivityWitness;
}): Promise<Worker[]> {
  const common: Omit<WorkerOptions, 'taskQueue'> = {
    connection: deps.connection,
    namespace: deps.namespace,
    activities: deps.activities,
    shutdownGraceTime: '30 s',
    maxHeartbeatThrottleInterval: '1 s',
    defaultHeartbeatThrottleInterval: '1 s',
    interceptors: {
      activity: [(context) => ({ inbound: createActivityGuard(context, deps.witness) })],
    },
  };
  const workflowOptions = ({ workflows, polls }: QueueSlots): Partial<WorkerOptions> =>
    workflows === null
      ? {}
      : {
          ...(deps.workflowBundle && { workflowBundle: deps.workflowBundle }),
          // One isolate for all workflows of the queue: an isolate each would cost megabytes each.
          reuseV8Context: true,
          workflowThreadPoolSize: 1,
          maxConcurrentWorkflowTaskExecutions: workflows.tasks,
          maxConcurrentLocalActivityExecutions: workflows.tasks,
          maxCachedWorkflows: workflows.cached,
          workflowTaskPollerBehavior: { type: 'simple-maximum', maximum: polls },
        };
  return Promise.all(
    deps.slots.map((slots) =>
      Worker.create({
        ...common,
        taskQueue: slots.taskQueue,
        maxConcurrentActivityTaskExecutions: slots.activities,
        activityTaskPollerBehavior: { type: 'simple-maximum', maximum: slots.polls },
        ...workflowOptions(slots),
      }),
    ),
  );
}
