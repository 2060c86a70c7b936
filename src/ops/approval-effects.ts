import type { ApprovalRow } from '../db/approval-store.ts';
import type { ApprovalAction } from '../domain/approvals/approval.ts';
import type { OpsDeps } from './command-context.ts';
import { applyScreeningRelease } from './screening-decisions.ts';

/**
 * Does what was approved, in one transaction that uses the approval (`useApproval`), and answers a
 * sentence for the operator. Throws ApprovalRefused where it cannot be done any more.
 */
export type ApplyApproval = (deps: OpsDeps, approval: ApprovalRow) => Promise<string>;

export type ApprovalEffects = Readonly<Partial<Record<ApprovalAction, ApplyApproval>>>;

/** What each kind of approval does. */
export const APPROVAL_EFFECTS: ApprovalEffects = { SCREENING_RELEASE: applyScreeningRelease };
