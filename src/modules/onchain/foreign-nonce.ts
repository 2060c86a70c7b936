import type { ActDeps } from '../approvals/act-by-approval.ts';
import {
  proposeApproval,
  type ApprovalDeps,
  type OperatorAct,
} from '../approvals/propose-approval.ts';
import type { ApprovalRow } from '../../db/approvals/approval-store.ts';
import { findLaneStand } from '../../db/onchain/chain-lane-store.ts';
import type { NonceKey } from '../../db/onchain/chain-nonce-store.ts';
import { nameForeign } from '../../db/onchain/foreign-transaction-store.ts';
import { actOnLane } from './act-on-lane.ts';
import { nameOfLane, scopeOfLane } from './lane-name.ts';

/**
 * Proposes that the transaction of that hash, which used a nonce of a lane, is no payment of ours. Answers the
 * proposal's id, null where one about that nonce waits; 'NO_LANE' where there is no such lane.
 */
export async function proposeForeign(
  deps: ApprovalDeps,
  key: NonceKey,
  hash: string,
  act: OperatorAct,
): Promise<{ readonly proposalId: string | null } | 'NO_LANE'> {
  const found = await deps.db.system((tx) => findLaneStand(tx, key));
  if (found === null) return 'NO_LANE';
  const proposal = {
    action: 'FOREIGN_NONCE',
    subjectId: `${nameOfLane(key)}/${key.nonce.toString()}`,
    subjectVersion: found.version,
    content: { hash },
  } as const;
  return {
    proposalId: await proposeApproval(deps, scopeOfLane(proposal.subjectId), proposal, act),
  };
}

/**
 * Writes down what two operators agreed on. The chain's own process acts by it once the transaction is final, and
 * not where it pays a receiver for us. Throws ApprovalRefused where the lane has changed since the proposal.
 */
export function acceptForeign(deps: ActDeps, approval: ApprovalRow): Promise<void> {
  const { id: approvalId, subjectId, content } = approval;
  const hash = String(content['hash']);
  return actOnLane(deps, approval, 'lane.foreign_nonce', (tx, at) =>
    nameForeign(tx, subjectId, { hash, approvalId }, at),
  );
}
