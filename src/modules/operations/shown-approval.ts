import {
  findApproval,
  listApprovalsOfSet,
  type ApprovalRow,
} from '../../db/approvals/approval-store.ts';
import type { SystemTransaction } from '../../db/client/database.ts';
import { findDepositReview } from '../../db/onchain/deposit-review-store.ts';
import { paidOutWarning } from '../onchain/deposits/paid-out-warning.ts';

/** An approval as operators see it. */
export interface ShownApproval {
  readonly approval: ApprovalRow;
  /** What operators must know of what it is about; null: nothing. */
  readonly warning: string | null;
  /** Of a set of exceptions: those that got an approval of their own. */
  readonly items: Awaited<ReturnType<typeof listApprovalsOfSet>>;
}

/** Null where there is none. */
export async function findShownApproval(
  tx: SystemTransaction,
  id: string,
): Promise<ShownApproval | null> {
  const approval = await findApproval(tx, id);
  if (approval === null) return null;
  const items = approval.action === 'EXCEPTION_SET' ? await listApprovalsOfSet(tx, id) : [];
  return { approval, warning: await warningOf(tx, approval), items };
}

async function warningOf(
  tx: SystemTransaction,
  { action, subjectId }: ApprovalRow,
): Promise<string | null> {
  if (action !== 'DEPOSIT_CLEARANCE' && action !== 'BLOCKED_DEPOSIT') return null;
  const deposit = await findDepositReview(tx, subjectId);
  return deposit && paidOutWarning(deposit);
}
