import type { Worker } from '@temporalio/worker';
import { createReconcilerActivities } from '../../../activities/operations/reconciler.ts';
import { createActivities } from '../../../src/server/runtime/create-activities.ts';
import { chainPlaces } from '../../../src/server/runtime/open-readers.ts';
import type { Resources } from '../../../src/server/runtime/resources.ts';
import { createWorkers } from '../../../src/server/temporal/worker.ts';
import { DEFAULT_SLOTS } from '../../../src/server/temporal/worker-slots.ts';
import { SILENT_WITNESS, type TestTemporal } from '../temporal.ts';

/** Runs workers and ends them, as often as wanted. */
export function createWorkerHarness(temporal: TestTemporal, resources: Resources) {
  let workers: Worker[] = [];
  let runs: Promise<unknown> = Promise.resolve();
  return {
    async start(activities: object = {}, slots = DEFAULT_SLOTS): Promise<void> {
      resources.shareConnection(temporal.connection);
      workers = await createWorkers({
        connection: temporal.connection,
        namespace: temporal.namespace,
        workflowBundle: temporal.workflowBundle,
        activities: {
          ...createActivities(resources),
          // A test does not wait ten seconds for what is taken for lost.
          ...createReconcilerActivities({
            ...resources,
            chains: chainPlaces(resources.config.chain),
            lostAfterMs: 0,
            raiseUnknownReference: () => undefined,
            payOnDeposit: async () => undefined,
            notifyOperators: () => Promise.resolve(),
            tellPaymentApprovers: () => Promise.resolve(),
            tellOfOverdue: () => Promise.resolve(),
            sealAuditLog: () => Promise.resolve(),
          }),
          ...activities,
        },
        slots,
        witness: SILENT_WITNESS,
      });
      runs = Promise.all(workers.map((worker) => worker.run()));
      runs.catch(() => undefined);
    },
    async stop(): Promise<void> {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      workers = [];
      await runs;
    },
  };
}
