import { proxyActivities } from '@temporalio/workflow';
import type { SweepActivities } from '../activities/types.ts';
import { SWEEP } from './options.ts';

const { startForgotten, repeatBells, restartUnfinished } = proxyActivities<SweepActivities>(SWEEP);

/**
 * Repeats what was lost between a commit and Temporal: starts that never arrived and bells that
 * nobody heard. Once an hour it also looks for unfinished payments without an open workflow.
 */
export async function sweep(): Promise<void> {
  await startForgotten();
  await repeatBells();
}

export async function sweepUnfinished(): Promise<void> {
  await restartUnfinished();
}
