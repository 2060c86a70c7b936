import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type Client } from '@temporalio/client';
import type { Environment } from '../domain/scope.ts';
import { TASK_QUEUES } from '../../workflows/task-queues.ts';

export interface ScheduleSettings {
  readonly sweepEveryMs: number;
  readonly unfinishedEveryMs: number;
  readonly fxRefreshEveryMs: number;
  /** By environment with a bank. */
  readonly statementFetchEveryMs: Readonly<Partial<Record<Environment, number>>>;
}

interface Repeated {
  readonly id: string;
  readonly workflow: string;
  readonly args: unknown[];
  readonly everyMs: number;
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
  }));
  return [
    { id: 'sweep', workflow: 'sweep', everyMs: settings.sweepEveryMs, args: [] },
    {
      id: 'sweep-unfinished',
      workflow: 'sweepUnfinished',
      everyMs: settings.unfinishedEveryMs,
      args: [],
    },
    { id: 'fx-refresh', workflow: 'fxRefresh', everyMs: settings.fxRefreshEveryMs, args: [] },
    ...fetches,
  ];
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
