import type { ApprovalRow } from '../db/approval-store.ts';
import type { OpsDeps } from './command-context.ts';

/**
 * Does what was approved, in one transaction that uses the approval (`useApproval`), and answers a
 * sentence for the operator. Throws ApprovalRefused where it cannot be done any more.
 */
export type ApplyApproval = (deps: OpsDeps, approval: ApprovalRow) => Promise<string>;
