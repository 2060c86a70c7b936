import type { WaitingApproval } from '../../../modules/approvals/propose-approval.ts';
import type { SystemTransaction } from '../../../db/client/database.ts';
import { rolesWith } from '../../../domain/customers/access/rights.ts';
import { APPROVAL_RIGHTS } from '../../../domain/approvals/approval-rights.ts';
import { tellOperators } from '../../../modules/customers/mail/tell-operators.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import type { ApprovalDeps } from '../../../modules/approvals/propose-approval.ts';
import { ACTION_WORDS } from '../pages/approvals/approval-words.ts';

/** What use cases of an act work with; `mailed` hears of each mail, to be handed on after the commit. */
export const tellingApprovers = (
  deps: ConsoleDeps,
  mailed: (mailId: string) => void,
): ConsoleDeps & Required<Pick<ApprovalDeps, 'tellApprovers'>> => ({
  ...deps,
  tellApprovers: async (tx, waiting) => {
    (await tellApprovers(deps, tx, waiting)).forEach(mailed);
  },
});

/** Writes the mails to those who may approve; answers their ids, to be dispatched after the commit. */
function tellApprovers(
  deps: ConsoleDeps,
  tx: SystemTransaction,
  { approvalId, action, proposedBy }: WaitingApproval,
): Promise<readonly string[]> {
  const roles = rolesWith('console', APPROVAL_RIGHTS[action]) ?? [];
  const url = `${deps.opsUrl}/approvals/${approvalId}`;
  const facts = { approvalId, what: ACTION_WORDS[action], url };
  return tellOperators(
    deps,
    tx,
    { roles, but: proposedBy },
    { kind: 'OPS_APPROVAL_WAITING', facts },
  );
}
