import { Context } from '@temporalio/activity';
import { createChainActivities } from '../../../activities/onchain/chains.ts';
import { createWorkers } from '../temporal/worker.ts';
import { CHAIN_SLOTS } from '../temporal/worker-slots.ts';
import { createActivityLog } from './activity-log.ts';
import type { Chains } from './open-chains.ts';
import type { Resources } from './resources.ts';
import { runWorkers, type RunningWorker } from './run-workers.ts';

/** Starts the worker of what signs for chains and looks at them: the one process that holds their keys. */
export function startChain(
  resources: Resources,
  { chainOf }: Pick<Chains, 'chainOf'>,
): RunningWorker {
  const { log, temporal } = resources;
  const activities = createChainActivities({
    chainOf,
    cancellation: () => Context.current().cancellationSignal,
    onUnreadable: (place, why) => {
      log.warn({ ...place, why }, 'network could not be read; it is read again');
    },
  });
  return runWorkers(resources, {
    prepare: () =>
      Promise.resolve((connection) =>
        createWorkers({
          ...{ connection, activities, workflowBundle: null, slots: CHAIN_SLOTS },
          namespace: temporal.namespace,
          witness: createActivityLog(log),
        }),
      ),
    onWorking: () => Promise.resolve(),
  });
}
