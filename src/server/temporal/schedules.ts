import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type Client,
} from '@temporalio/client';
import { ENVIRONMENTS, type Environment } from '../../domain/scope.ts';
import { TASK_QUEUES } from '../../domain/workflows/task-queues.ts';

interface ScheduleSettings {
  readonly reconcileEveryMs: number;
  readonly unfinishedEveryMs: number;
  readonly fxRefreshEveryMs: number;
  readonly kycExpiryEveryMs: number;
  /** By environment with a bank. */
  readonly statementFetchEveryMs: Readonly<Partial<Record<Environment, number>>>;
  readonly rescreenEveryMs: number;
  readonly finalityEveryMs: Readonly<Record<Environment, number>>;
}

const MINUTE_MS = 60_000;

/** Days before a key's end are told in hours. */
const KEY_EXPIRY_EVERY_MS = 60 * MINUTE_MS;

/** Longer than any run that is well: activities, their retries and a wait for slots included. */
const EXECUTION_TIMEOUT_MS = {
  sweep: 5 * MINUTE_MS,
  sweepUnfinished: 120 * MINUTE_MS,
  fxRefresh: 15 * MINUTE_MS,
  kycExpiry: 120 * MINUTE_MS,
  keyExpiry: 45 * MINUTE_MS,
  statementFetch: 10 * MINUTE_MS,
  rescreen: 12 * 60 * MINUTE_MS,
  finality: 120 * MINUTE_MS,
} as const;

const RECONCILER_SCHEDULES = ['sweep', 'sweep-unfinished'] as const;

interface Repeated {
  readonly id: string;
  readonly workflow: string;
  readonly args: unknown[];
  readonly everyMs: number;
  /** A run that hangs ends after so long, or it would keep every later one from starting. */
  readonly executionTimeoutMs: number;
}

/**
 * Creates the schedules that do not exist and brings those that do to today's settings. Every worker
 * that boots calls it, so a lost schedule does not stay lost.
 */
export async function ensureSchedules(client: Client, settings: ScheduleSettings): Promise<void> {
  for (const repeated of wantedSchedules(settings)) await ensureSchedule(client, repeated);
}

function wantedSchedules(settings: ScheduleSettings): Repeated[] {
  const fetches = Object.entries(settings.statementFetchEveryMs).map(([environment, everyMs]) => ({
    id: `statement-fetch/${environment}`,
    workflow: 'statementFetch',
    args: [environment],
    everyMs,
    executionTimeoutMs: EXECUTION_TIMEOUT_MS.statementFetch,
  }));
  const rescreens = ENVIRONMENTS.map((environment) => ({
    id: `rescreen/${environment}`,
    workflow: 'rescreenAll',
    args: [environment],
    everyMs: settings.rescreenEveryMs,
    executionTimeoutMs: EXECUTION_TIMEOUT_MS.rescreen,
  }));
  const finalities = ENVIRONMENTS.map((environment) => ({
    id: `finality/${environment}`,
    workflow: 'finality',
    args: [environment],
    everyMs: settings.finalityEveryMs[environment],
    executionTimeoutMs: EXECUTION_TIMEOUT_MS.finality,
  }));
  return [
    {
      id: RECONCILER_SCHEDULES[0],
      workflow: 'sweep',
      args: [],
      everyMs: settings.reconcileEveryMs,
      executionTimeoutMs: EXECUTION_TIMEOUT_MS.sweep,
    },
    {
      id: RECONCILER_SCHEDULES[1],
      workflow: 'sweepUnfinished',
      args: [],
      everyMs: settings.unfinishedEveryMs,
      executionTimeoutMs: EXECUTION_TIMEOUT_MS.sweepUnfinished,
    },
    {
      id: 'fx-refresh',
      workflow: 'fxRefresh',
      args: [],
      everyMs: settings.fxRefreshEveryMs,
      executionTimeoutMs: EXECUTION_TIMEOUT_MS.fxRefresh,
    },
    {
      id: 'kyc-expiry',
      workflow: 'kycExpiry',
      args: [],
      everyMs: settings.kycExpiryEveryMs,
      executionTimeoutMs: EXECUTION_TIMEOUT_MS.kycExpiry,
    },
    {
      id: 'key-expiry',
      workflow: 'keyExpiry',
      args: [],
      everyMs: KEY_EXPIRY_EVERY_MS,
      executionTimeoutMs: EXECUTION_TIMEOUT_MS.keyExpiry,
    },
    ...fetches,
    ...rescreens,
    ...finalities,
  ];
}

type ReconcilerState = 'ok' | 'paused' | 'missing';

/** Whether the schedules that repeat what was lost are there and running. Throws where Temporal is down. */
export async function findReconcilerState(client: Client): Promise<ReconcilerState> {
  let state: ReconcilerState = 'ok';
  for (const id of RECONCILER_SCHEDULES) {
    try {
      const { state: scheduled } = await client.schedule.getHandle(id).describe();
      if (scheduled.paused) state = 'paused';
    } catch (error) {
      if (!(error instanceof ScheduleNotFoundError)) throw error;
      return 'missing';
    }
  }
  return state;
}

async function ensureSchedule(client: Client, repeated: Repeated): Promise<void> {
  const spec = { intervals: [{ every: repeated.everyMs }] };
  // One at a time; what an outage missed is not made up for, since every run looks at everything.
  const policies = { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' } as const;
  const action = {
    type: 'startWorkflow',
    workflowType: repeated.workflow,
    workflowId: `${repeated.id}/run`,
    taskQueue: TASK_QUEUES.engine,
    args: repeated.args,
    workflowExecutionTimeout: repeated.executionTimeoutMs,
  } as const;
  try {
    await client.schedule.create({
      scheduleId: repeated.id,
      spec,
      policies,
      action,
      state: { triggerImmediately: true },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await client.schedule
      .getHandle(repeated.id)
      .update((previous) => ({ ...previous, spec, policies, action }));
  }
}
