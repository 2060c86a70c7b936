import { ensureSchedules } from '../temporal/schedules.ts';
import { createWorkers } from '../temporal/worker.ts';
import { DEFAULT_SLOTS } from '../temporal/worker-slots.ts';
import { loadWorkflowBundle } from '../temporal/workflow-bundle.ts';
import { createActivityLog } from './activity-log.ts';
import { createActivities } from './create-activities.ts';
import type { Resources } from './resources.ts';
import { runWorkers, type RunningWorker } from './run-workers.ts';

const RECONCILE_EVERY_MS = 10_000;
const UNFINISHED_EVERY_MS = 3_600_000;
const KYC_EXPIRY_EVERY_MS = 60_000;
/** So long a new list may go unnoticed. */
const RESCREEN_EVERY_MS = 60_000;

/** Starts the workers of everything but what signs for chains. */
export function startWorker(resources: Resources): RunningWorker {
  return runWorkers(resources, {
    async prepare() {
      const workflowBundle = await loadWorkflowBundle({
        file: resources.config.workflowBundleFile,
        withStacks: resources.config.workflowStacks,
      });
      return (connection) =>
        createWorkers({
          connection,
          namespace: resources.temporal.namespace,
          workflowBundle,
          activities: createActivities(resources),
          slots: DEFAULT_SLOTS,
          witness: createActivityLog(resources.log),
        });
    },
    onWorking: () =>
      ensureSchedules(resources.getClient(), {
        reconcileEveryMs: RECONCILE_EVERY_MS,
        unfinishedEveryMs: UNFINISHED_EVERY_MS,
        fxRefreshEveryMs: resources.config.fx.refreshMs,
        kycExpiryEveryMs: KYC_EXPIRY_EVERY_MS,
        statementFetchEveryMs: statementFetches(resources),
        rescreenEveryMs: RESCREEN_EVERY_MS,
        finalityEveryMs: finalityRuns(resources),
      }),
  });
}

function finalityRuns({ config: { timing } }: Resources) {
  return { test: timing.test.finalityEveryMs, live: timing.live.finalityEveryMs };
}

function statementFetches({ config }: Resources) {
  const entries = Object.keys(config.providers.bank).map((environment) => {
    const { statementFetchMs } = config.timing[environment as 'test' | 'live'];
    return [environment, statementFetchMs] as const;
  });
  return Object.fromEntries(entries);
}
