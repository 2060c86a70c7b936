import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  bundleWorkflowCode,
  DefaultLogger,
  Worker,
  type NativeConnection,
  type WorkerOptions,
  type WorkflowBundle,
} from '@temporalio/worker';
import { TASK_QUEUES } from '../../workflows/options.ts';
import { createActivityGuard } from './activity-guard.ts';

/** Slots of one worker process: fixed, so that a burst queues in Temporal and not in our memory. */
export interface WorkerSlots {
  readonly workflowTasks: number;
  readonly payments: number;
  readonly webhooks: number;
  readonly webhooksSlow: number;
  readonly reconciliation: number;
  /** Workflows whose state is kept in memory between tasks. */
  readonly cachedWorkflows: number;
}

export const DEFAULT_SLOTS: WorkerSlots = {
  workflowTasks: 40,
  payments: 40,
  // A drain mostly waits for its receiver.
  webhooks: 100,
  webhooksSlow: 20,
  reconciliation: 4,
  cachedWorkflows: 400,
};

const BUILT_BUNDLE = fileURLToPath(new URL('../../workflow-bundle.js', import.meta.url));
const WORKFLOWS = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));

/** The workflow code: from the file named, from what the build made, else bundled from the sources. */
export async function loadWorkflowBundle(
  file: string | undefined,
): Promise<WorkflowBundle | { codePath: string }> {
  if (file !== undefined) return { codePath: file };
  if (existsSync(BUILT_BUNDLE)) return { codePath: BUILT_BUNDLE };
  return bundleWorkflows();
}

/** Bundles the workflow code from the sources: seconds of work, so it is done once and kept. */
export function bundleWorkflows(): Promise<WorkflowBundle> {
  const logger = new DefaultLogger('ERROR');
  return bundleWorkflowCode({ workflowsPath: WORKFLOWS, logger });
}

/**
 * One worker a task queue over one connection. Only the first runs workflows; the others run
 * activities, so that a slow receiver or a long statement never holds a payment's slot.
 */
export async function createWorkers(deps: {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly workflowBundle: WorkflowBundle | { codePath: string };
  readonly activities: object;
  readonly slots: WorkerSlots;
  readonly onFailure: (failure: { activity: string; error: unknown }) => void;
}): Promise<Worker[]> {
  const common: Omit<WorkerOptions, 'taskQueue'> = {
    connection: deps.connection,
    namespace: deps.namespace,
    activities: deps.activities,
    shutdownGraceTime: '30 s',
    maxHeartbeatThrottleInterval: '1 s',
    defaultHeartbeatThrottleInterval: '1 s',
    interceptors: {
      activity: [(context) => ({ inbound: createActivityGuard(context, deps.onFailure) })],
    },
  };
  const { slots } = deps;
  const activityQueue = (taskQueue: string, max: number) =>
    Worker.create({ ...common, taskQueue, maxConcurrentActivityTaskExecutions: max });
  return Promise.all([
    Worker.create({
      ...common,
      taskQueue: TASK_QUEUES.payments,
      workflowBundle: deps.workflowBundle,
      maxConcurrentWorkflowTaskExecutions: slots.workflowTasks,
      maxConcurrentActivityTaskExecutions: slots.payments,
      maxCachedWorkflows: slots.cachedWorkflows,
    }),
    Worker.create({
      ...common,
      taskQueue: TASK_QUEUES.webhooks,
      workflowBundle: deps.workflowBundle,
      maxConcurrentWorkflowTaskExecutions: slots.workflowTasks,
      maxConcurrentActivityTaskExecutions: slots.webhooks,
      maxCachedWorkflows: slots.cachedWorkflows,
    }),
    Worker.create({
      ...common,
      taskQueue: TASK_QUEUES.reconciliation,
      workflowBundle: deps.workflowBundle,
      maxConcurrentWorkflowTaskExecutions: 4,
      maxConcurrentActivityTaskExecutions: slots.reconciliation,
      maxCachedWorkflows: 20,
    }),
    activityQueue(TASK_QUEUES.webhooksSlow, slots.webhooksSlow),
  ]);
}
