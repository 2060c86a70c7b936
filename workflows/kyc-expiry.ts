import { proxyActivities } from '@temporalio/workflow';
import type { KycExpiryActivities } from '../activities/types.ts';
import { KYC_EXPIRY } from './options.ts';

const { expireApprovals } = proxyActivities<KycExpiryActivities>(KYC_EXPIRY);

/** Ends the KYC approvals whose end has come. */
export async function kycExpiry(): Promise<void> {
  await expireApprovals();
}
