import { proxyActivities } from '@temporalio/workflow';
import type { ReconcilerActivities } from '../activities/types.ts';
import { START_FORGOTTEN, RECONCILE_ALL } from './options.ts';

const { startForgotten, repeatWakes } = proxyActivities<ReconcilerActivities>(START_FORGOTTEN);
const { restartUnfinished } = proxyActivities<ReconcilerActivities>(RECONCILE_ALL);

/** Repeats what was lost between a commit and Temporal: starts and wakes that never arrived. */
export async function sweep(): Promise<void> {
  // One that fails must not silence the other.
  const failure = await startForgotten().then(
    () => null,
    (error: unknown) => error as Error,
  );
  await repeatWakes();
  if (failure !== null) throw failure;
}

/** Once an hour: what is unfinished in PostgreSQL and has no open workflow. */
export async function sweepUnfinished(): Promise<void> {
  await restartUnfinished();
}
