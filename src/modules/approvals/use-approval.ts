import { markApprovalUsed, type ApprovalRow } from '../../db/approvals/approval-store.ts';
import type { AnyTransaction } from '../../db/client/database.ts';
import type { Scope } from '../../domain/scope.ts';
import { ApprovalRefused } from './approval-refused.ts';
import { sayWhyRefused } from './decide-approval.ts';

/**
 * Takes an approval into use, in the transaction of its effect and before the effect: the guards of
 * what it changes look for it. The caller holds the subject locked at `currentVersion`. Throws
 * ApprovalRefused where the subject has changed since the proposal, or the approval was used before, is void or
 * ran out, or one of the two operators may not approve it any more.
 */
export async function useApproval(
  tx: AnyTransaction,
  scope: Scope,
  approval: ApprovalRow,
  currentVersion: number,
  at: Date,
): Promise<void> {
  if (approval.subjectVersion !== currentVersion) {
    throw new ApprovalRefused(
      `${approval.subjectId} has changed since the proposal (version ${String(currentVersion)} instead of ${String(approval.subjectVersion)}). Propose it again.`,
    );
  }
  if (!(await markApprovalUsed(tx, scope, approval.id, at).catch(sayWhyRefused))) {
    throw new ApprovalRefused('It has already taken effect.');
  }
}
