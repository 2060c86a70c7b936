import { proxyActivities } from '@temporalio/workflow';
import type { FinalityActivities } from '../activities/types.ts';
import type { Environment } from '../src/domain/scope.ts';
import { FINALITY } from './options.ts';

const { finalisePayments } = proxyActivities<FinalityActivities>(FINALITY);

/** Makes delivered payments final that can no longer come back. */
export async function finality(environment: Environment): Promise<void> {
  await finalisePayments(environment);
}
