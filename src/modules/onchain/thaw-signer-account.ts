import type { ActDeps } from '../approvals/act-by-approval.ts';
import { ApprovalRefused } from '../approvals/approval-refused.ts';
import {
  proposeApproval,
  type ApprovalDeps,
  type OperatorAct,
} from '../approvals/propose-approval.ts';
import type { ApprovalRow } from '../../db/approvals/approval-store.ts';
import { recordAudit } from '../../db/operations/audit-store.ts';
import {
  findSignerAccountStand,
  freezeSignerAccount,
  thawSignerAccountRow,
  type SignerAccountKey,
  type SignerAccountStand,
} from '../../db/onchain/signer-account-store.ts';
import type { Database } from '../../db/client/database.ts';
import type { Clock } from '../../domain/clock.ts';
import { actOnSignerAccount } from './act-on-signer-account.ts';
import { nameOfSignerAccount, scopeOfSignerAccount } from './signer-account-name.ts';

/** Freezes a signer account at once: it signs nothing new. False where there is none, or it is frozen or given up. */
export function freezeSignerAccountByHand(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  signerAccount: SignerAccountKey,
  { operator, reason }: OperatorAct,
): Promise<boolean> {
  return db.system(async (tx) => {
    const at = clock.now();
    if (!(await freezeSignerAccount(tx, signerAccount, 'OPERATOR', at))) return false;
    await recordAudit(tx, {
      at,
      actor: { kind: 'OPERATOR', name: operator },
      action: 'signer_account.freeze',
      scope: { customerId: null, environment: signerAccount.environment },
      subject: nameOfSignerAccount(signerAccount),
      details: { reason },
    });
    return true;
  });
}

/** Of a signer account that is given up: what was signed for it and is not known may be mined still. */
const MAY_STILL_PAY = 'MAY_STILL_PAY';

/**
 * Proposes that a frozen signer account pay again (SIGNER_ACCOUNT_THAW), or be given up for ever
 * (SIGNER_ACCOUNT_RETIRE), and answers the proposal's id: null where one waits already. SIGNER_ACCOUNT_RETIRE of a
 * signer account that is given up and may still pay proposes that nothing signed for it can be mined any more.
 * 'NOT_FROZEN' where it is neither, or is no signer account.
 */
export async function proposeForFrozen(
  deps: ApprovalDeps,
  action: 'SIGNER_ACCOUNT_THAW' | 'SIGNER_ACCOUNT_RETIRE',
  signerAccount: SignerAccountKey,
  act: OperatorAct,
): Promise<{ readonly proposalId: string | null } | 'NOT_FROZEN'> {
  const found = await deps.db.system((tx) => findSignerAccountStand(tx, signerAccount));
  const why = found === null ? null : reasonToAct(action, found);
  if (found === null || why === null) return 'NOT_FROZEN';
  const subjectId = nameOfSignerAccount(signerAccount);
  const about = { subjectId, subjectVersion: found.version };
  const content = { action, ...about, content: { why } } as const;
  return { proposalId: await proposeApproval(deps, scopeOfSignerAccount(subjectId), content, act) };
}

function reasonToAct(
  action: 'SIGNER_ACCOUNT_THAW' | 'SIGNER_ACCOUNT_RETIRE',
  { status, why, mayStillPay }: SignerAccountStand,
): string | null {
  const isGivenUp = action === 'SIGNER_ACCOUNT_RETIRE' && status === 'RETIRING' && mayStillPay;
  return isGivenUp ? MAY_STILL_PAY : why;
}

/**
 * Thaws a signer account, as two operators agreed, and answers what it is now. Throws ApprovalRefused where it is not
 * frozen any more, or was frozen anew since the proposal.
 */
export function thawSignerAccount(deps: ActDeps, approval: ApprovalRow): Promise<string> {
  return actOnSignerAccount(deps, approval, 'signer_account.thaw', async (tx, at) => {
    const status = await thawSignerAccountRow(tx, approval.subjectId, at);
    if (status === null)
      throw new ApprovalRefused(`The hot address ${approval.subjectId} is not frozen.`);
    return status;
  });
}
