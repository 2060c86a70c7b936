import type { ActDeps } from '../approvals/act-by-approval.ts';
import {
  proposeApproval,
  type ApprovalDeps,
  type OperatorAct,
} from '../approvals/propose-approval.ts';
import type { ApprovalRow } from '../../db/approvals/approval-store.ts';
import { findSignerAccountStand } from '../../db/onchain/signer-account-store.ts';
import type { NonceKey } from '../../db/onchain/chain-nonce-store.ts';
import { nameForeign } from '../../db/onchain/foreign-transaction-store.ts';
import { actOnSignerAccount } from './act-on-signer-account.ts';
import { nameOfSignerAccount, scopeOfSignerAccount } from './signer-account-name.ts';

/**
 * Proposes that the transaction of that hash, which used a nonce of a signer account, is no payment of ours. Answers
 * the proposal's id, null where one about that nonce waits; 'NO_SIGNER_ACCOUNT' where there is no such signer account.
 */
export async function proposeForeign(
  deps: ApprovalDeps,
  key: NonceKey,
  hash: string,
  act: OperatorAct,
): Promise<{ readonly proposalId: string | null } | 'NO_SIGNER_ACCOUNT'> {
  const found = await deps.db.system((tx) => findSignerAccountStand(tx, key));
  if (found === null) return 'NO_SIGNER_ACCOUNT';
  const proposal = {
    action: 'FOREIGN_NONCE',
    subjectId: `${nameOfSignerAccount(key)}/${key.nonce.toString()}`,
    subjectVersion: found.version,
    content: { hash },
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
 * Writes down what two operators agreed on. The chain's own process acts by it once the transaction is final, and
 * not where it pays a receiver for us. Throws ApprovalRefused where the signer account has changed since the proposal.
 */
export function acceptForeign(deps: ActDeps, approval: ApprovalRow): Promise<void> {
  const { id: approvalId, subjectId, content } = approval;
  const hash = String(content['hash']);
  return actOnSignerAccount(deps, approval, 'signer_account.foreign_nonce', (tx, at) =>
    nameForeign(tx, subjectId, { hash, approvalId }, at),
  );
}
