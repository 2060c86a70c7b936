import type { ApprovalAction } from '../domain/approvals/approval.ts';
import { applyKycOverride } from './apply-kyc-override.ts';
import type { ApplyApproval } from './apply-approval.ts';

export type ApprovalEffects = Readonly<Partial<Record<ApprovalAction, ApplyApproval>>>;

/** What each kind of approval does. */
export const APPROVAL_EFFECTS: ApprovalEffects = { KYC_OVERRIDE: applyKycOverride };
