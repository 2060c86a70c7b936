import type { SystemTransaction } from '../../db/client/database.ts';
import { APPROVAL_RIGHTS } from '../../domain/approvals/approval-rights.ts';
import type { Clock } from '../../domain/clock.ts';
import { rolesWith } from '../../domain/customers/access/rights.ts';
import type { Vault } from '../../vault/vault.ts';
import { ACTION_WORDS } from '../approvals/action-words.ts';
import type { ApprovalDeps, WaitingApproval } from '../approvals/propose-approval.ts';
import { tellOperators } from '../customers/mail/tell-operators.ts';

interface TellDeps {
  readonly vault: Vault;
  readonly clock: Clock;
  /** Where mails to operators lead to. */
  readonly opsUrl: string;
}

/** What use cases of an act work with; `mailed` hears of each mail, to be handed on after the commit. */
export const tellingApprovers = <Deps extends TellDeps>(
  deps: Deps,
  mailed: (mailId: string) => void,
): Deps & Required<Pick<ApprovalDeps, 'tellApprovers'>> => ({
  ...deps,
  tellApprovers: async (tx, waiting) => {
    (await tellApprovers(deps, tx, waiting)).forEach(mailed);
  },
});

/** Writes the mails to those who may approve; answers their ids, to be dispatched after the commit. */
function tellApprovers(
  deps: TellDeps,
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
