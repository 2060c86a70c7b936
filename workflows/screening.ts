import { CancellationScope, proxyActivities } from '@temporalio/workflow';
import type { ScreeningActivities } from '../activities/types.ts';
import type { ScreeningRef } from '../src/domain/workflows/work-refs.ts';
import type { Environment } from '../src/domain/scope.ts';
import { KYC, RESCREEN } from './options.ts';
import { TASK_QUEUES } from '../src/domain/workflows/task-queues.ts';

/** Looks a new party's names up at the provider, `screening/<party>`, so that no payment waits for it. */
export async function screenParty(party: ScreeningRef): Promise<void> {
  const activities = proxyActivities<ScreeningActivities>({
    ...KYC,
    taskQueue: TASK_QUEUES.kyc[party.environment],
    summary: 'Look the names up in the sanctions list',
  });
  await CancellationScope.nonCancellable(() => activities.screenParty(party));
}

/** By schedule: notices another list and looks all parties up in it. */
export async function rescreenAll(environment: Environment): Promise<void> {
  const { rescreen } = proxyActivities<ScreeningActivities>({
    ...RESCREEN,
    taskQueue: TASK_QUEUES.kyc[environment],
    summary: 'Look at the sanctions list, and look all parties up in a new one',
  });
  await rescreen(environment);
}
