import { CancellationScope, proxyActivities } from '@temporalio/workflow';
import type { KycActivities } from '../activities/types.ts';
import type { KycCheckRef } from '../src/domain/workflows/work-refs.ts';
import { APPLY } from './options.ts';

const { applyKycReports } = proxyActivities<KycActivities>({
  ...APPLY,
  summary: 'Apply what the KYC provider reported after the decision',
});

/**
 * A report that came after a check's workflow had ended, `kyc/<endUser>/<round>/<row>`: an approval
 * is revoked, expires, or needs new documents.
 */
export async function kycFollowUp(check: KycCheckRef): Promise<void> {
  await CancellationScope.nonCancellable(() => applyKycReports(check));
}
