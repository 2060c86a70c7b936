import type { ActDeps } from '../approvals/act-by-approval.ts';
import { ApprovalRefused } from '../approvals/approval-refused.ts';
import type { ApprovalRow } from '../../db/approvals/approval-store.ts';
import { retireSignerAccountRow } from '../../db/onchain/signer-account-store.ts';
import { actOnSignerAccount } from './act-on-signer-account.ts';

/**
 * Gives a frozen signer account up for ever, as two operators agreed: it never signs again, and the chain alone says
 * what became of what it had sent. Of one that is given up and may still pay it keeps that nothing signed for it can be
 * mined any more. Throws ApprovalRefused where it is neither any more, or was frozen anew since.
 */
export function retireSignerAccount(deps: ActDeps, approval: ApprovalRow): Promise<void> {
  const { id, subjectId } = approval;
  return actOnSignerAccount(deps, approval, 'signer_account.retire', async (tx, at) => {
    const isRetired = await retireSignerAccountRow(tx, subjectId, id, at);
    if (!isRetired)
      throw new ApprovalRefused(`${subjectId} is not frozen, or it is already retired.`);
  });
}
