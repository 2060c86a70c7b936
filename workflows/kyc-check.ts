import {
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { KycActivities, KycCheckRef } from '../activities/types.ts';
import type { Environment } from '../src/domain/scope.ts';
import { APPLY, KYC } from './options.ts';
import { TASK_QUEUES } from './task-queues.ts';

/** Says that a report was stored. It carries no data: the report itself is in PostgreSQL. */
const wake = defineSignal('wake');

const opening = (environment: Environment) =>
  proxyActivities<KycActivities>({
    ...KYC,
    taskQueue: TASK_QUEUES.kyc[environment],
    summary: 'Open the check at the KYC provider',
  });
const polling = (environment: Environment) =>
  proxyActivities<KycActivities>({
    ...KYC,
    taskQueue: TASK_QUEUES.kyc[environment],
    summary: 'Ask the KYC provider where the check stands',
  });
const { applyKycReports } = proxyActivities<KycActivities>({
  ...APPLY,
  summary: 'Apply what the KYC provider reported',
});

/**
 * One round of KYC, `kyc/<endUser>/<round>`: opens the check, then waits for the provider's reports
 * or asks, until the check is decided. A run that starts goes on from what PostgreSQL holds, so
 * continuing as new needs no state. Cancellation from outside is ignored: the check goes on at the
 * provider all the same.
 */
export async function kycCheck(check: KycCheckRef): Promise<void> {
  let isWoken = false;
  setHandler(wake, () => {
    isWoken = true;
  });
  const hasReports = () => isWoken;
  const { openKycCheck } = opening(check.environment);
  const { pollKycCheck } = polling(check.environment);
  await CancellationScope.nonCancellable(async () => {
    let step = await openKycCheck(check);
    // A wake that came while the last step ran may announce a report which that step did not see.
    while (step.kind === 'WAIT' || hasReports()) {
      if (step.kind === 'WAIT') await condition(hasReports, step.waitMs);
      if (hasReports()) {
        isWoken = false;
        step = await applyKycReports(check);
      } else {
        step = await pollKycCheck(check);
      }
      if (workflowInfo().continueAsNewSuggested && step.kind === 'WAIT' && !hasReports()) {
        await continueAsNew<typeof kycCheck>(check);
      }
    }
  });
}
