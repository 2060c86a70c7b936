import type { ActDeps } from '../../approvals/act-by-approval.ts';
import { ApprovalRefused } from '../../approvals/approval-refused.ts';
import {
  proposeApproval,
  type ApprovalDeps,
  type OperatorAct,
} from '../../approvals/propose-approval.ts';
import type { ApprovalRow } from '../../../db/approvals/approval-store.ts';
import { askForDust, findDustSum, type DustKey } from '../../../db/onchain/dust-store.ts';
import { actOnSignerAccount } from '../act-on-signer-account.ts';
import { scopeOfSignerAccount } from '../signer-account-name.ts';

/**
 * Proposes that the 20 largest transfers to an address below the floor of their asset become deposits. Answers the proposal's
 * id, null where one waits; 'NOTHING' where none lies there.
 */
export async function proposeDust(
  deps: ApprovalDeps,
  key: DustKey,
  act: OperatorAct,
): Promise<{ readonly proposalId: string | null } | 'NOTHING'> {
  const sum = await deps.db.system((tx) => findDustSum(tx, key));
  if (sum === null || sum.transfers === 0n) return 'NOTHING';
  const { environment, network, asset, address, version } = sum;
  const proposal = {
    action: 'DUST_DEPOSITS',
    subjectId: [environment, network, asset, address].join('/'),
    subjectVersion: version,
    content: {},
  } as const;
  const scope = scopeOfSignerAccount(proposal.subjectId);
  return { proposalId: await proposeApproval(deps, scope, proposal, act) };
}

/**
 * Writes down what two operators agreed on: the network's reader makes the deposits. Throws ApprovalRefused where nothing lies
 * there any more, or something else was agreed on since the proposal.
 */
export function approveDust(deps: ActDeps, approval: ApprovalRow): Promise<void> {
  const { id, subjectId } = approval;
  return actOnSignerAccount(deps, approval, 'dust.take', async (tx) => {
    if (!(await askForDust(tx, subjectId, id))) {
      throw new ApprovalRefused(`Nothing lies at ${subjectId} below the floor.`);
    }
  });
}
