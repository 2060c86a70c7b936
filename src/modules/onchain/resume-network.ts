import type { ActDeps } from '../approvals/act-by-approval.ts';
import { ApprovalRefused } from '../approvals/approval-refused.ts';
import {
  proposeApproval,
  type ApprovalDeps,
  type OperatorAct,
} from '../approvals/propose-approval.ts';
import type { ApprovalRow } from '../../db/approvals/approval-store.ts';
import { findChainStop, resumeChainAt } from '../../db/onchain/chain-stop-store.ts';
import type { BlockRef } from '../../domain/onchain/chain-facts.ts';
import type { ChainPlace } from '../../domain/onchain/network.ts';
import { actOnSignerAccount } from './act-on-signer-account.ts';
import { scopeOfSignerAccount } from './signer-account-name.ts';

/**
 * Proposes that a stopped network go on at a final block, which lies behind the one that is gone. Answers the
 * proposal's id, null where one waits; 'NOT_STOPPED', and 'NOT_BEHIND' where the block does not lie there.
 */
export async function proposeResumption(
  deps: ApprovalDeps,
  place: ChainPlace,
  { number, hash }: BlockRef,
  act: OperatorAct,
): Promise<{ readonly proposalId: string | null } | 'NOT_STOPPED' | 'NOT_BEHIND'> {
  const stop = await deps.db.system((tx) => findChainStop(tx, place));
  if (stop === null) return 'NOT_STOPPED';
  if (number <= stop.block) return 'NOT_BEHIND';
  const proposal = {
    action: 'CHAIN_RESUMPTION',
    subjectId: `${place.environment}/${place.network}/${stop.seq.toString()}`,
    subjectVersion: stop.version,
    content: { block: number.toString(), hash },
  } as const;
  return {
    proposalId: await proposeApproval(
      deps,
      scopeOfSignerAccount(proposal.subjectId),
      proposal,
      act,
    ),
  };
}

/**
 * Writes down what two operators agreed on: the network's reader acts by it. Throws ApprovalRefused where the network
 * goes on already, or something else was agreed on since the proposal.
 */
export function resumeNetwork(deps: ActDeps, approval: ApprovalRow): Promise<void> {
  const { id: approvalId, subjectId, content } = approval;
  const said = { approvalId, block: String(content['block']), hash: String(content['hash']) };
  return actOnSignerAccount(deps, approval, 'network.resume', async (tx) => {
    if (!(await resumeChainAt(tx, subjectId, said))) {
      throw new ApprovalRefused(`${subjectId} was already lifted.`);
    }
  });
}
