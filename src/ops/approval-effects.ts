import type { ApprovalAction } from '../domain/approvals/approval.ts';
import { applyKycOverride } from './apply-kyc-override.ts';
import type { ApplyApproval } from './apply-approval.ts';
import { applyLateReturn } from './late-returns.ts';
import { applyCoverTrade } from './cover-trades.ts';
import { applyCreditAssignment, applyCreditClosing } from './credits.ts';
import { applyOwnAccount } from './own-account-decisions.ts';
import { applyScreeningRelease } from './screening-decisions.ts';

export type ApprovalEffects = Readonly<Record<ApprovalAction, ApplyApproval>>;

/** What each kind of approval does. */
export const APPROVAL_EFFECTS: ApprovalEffects = {
  KYC_OVERRIDE: applyKycOverride,
  SCREENING_RELEASE: applyScreeningRelease,
  LATE_RETURN: applyLateReturn,
  FX_COVER: applyCoverTrade,
  CREDIT_ASSIGNMENT: applyCreditAssignment,
  CREDIT_CLOSING: applyCreditClosing,
  OWN_ACCOUNT: applyOwnAccount,
};
