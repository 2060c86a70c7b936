import {
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { KycActivities } from '../activities/types.ts';
import type { KycCheckRef } from '../src/domain/workflows/work-refs.ts';
import type { Environment } from '../src/domain/scope.ts';
import { APPLY, KYC, KYC_DOCUMENTS } from './options.ts';
import { TASK_QUEUES } from '../src/domain/workflows/task-queues.ts';

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
const documents = (environment: Environment) =>
  proxyActivities<KycActivities>({
    ...KYC_DOCUMENTS,
    taskQueue: TASK_QUEUES.kyc[environment],
    summary: 'Hand the documents on to the KYC provider',
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
  const { handOnKycDocuments } = documents(check.environment);
  await CancellationScope.nonCancellable(async () => {
    let step = await openKycCheck(check);
    // A wake that came while the last step ran may announce a report which that step did not see.
    while (step.kind === 'WAIT' || hasReports()) {
      // Only an activity's answer says so: histories of the time before documents replay as they are.
      if (step.kind === 'WAIT' && step.hasDocuments === true) {
        const { waitMs } = step;
        // A document that cannot be handed on must not end the check: it is tried again after the next look.
        step = await handOnKycDocuments(check).catch(() => ({ kind: 'WAIT', waitMs }) as const);
        continue;
      }
      if (step.kind === 'WAIT') {
        await condition(hasReports, step.waitMs, { summary: 'Until the provider is asked again' });
      }
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
