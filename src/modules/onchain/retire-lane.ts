import type { ActDeps } from '../approvals/act-by-approval.ts';
import { ApprovalRefused } from '../approvals/decide-approval.ts';
import type { ApprovalRow } from '../../db/approvals/approval-store.ts';
import { retireLaneRow } from '../../db/onchain/chain-lane-store.ts';
import { actOnLane } from './act-on-lane.ts';

/**
 * Gives a frozen lane up for ever, as two operators agreed: it never signs again, and the chain alone says what
 * became of what it had sent. Of one that is given up and may still pay it keeps that nothing signed for it can be
 * mined any more. Throws ApprovalRefused where it is neither any more, or was frozen anew since.
 */
export function retireLane(deps: ActDeps, approval: ApprovalRow): Promise<void> {
  const { id, subjectId } = approval;
  return actOnLane(deps, approval, 'lane.retire', async (tx, at) => {
    const isRetired = await retireLaneRow(tx, subjectId, id, at);
    if (!isRetired) throw new ApprovalRefused(`${subjectId} is not frozen, or is given up.`);
  });
}
