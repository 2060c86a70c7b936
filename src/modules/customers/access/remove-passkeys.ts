import { ApprovalRefused } from '../../approvals/approval-refused.ts';
import {
  proposeApproval,
  type ApprovalDeps,
  type OperatorAct,
} from '../../approvals/propose-approval.ts';
import { useApproval } from '../../approvals/use-approval.ts';
import { withinTransaction } from '../../approvals/within-transaction.ts';
import type { ApprovalRow } from '../../../db/approvals/approval-store.ts';
import { recordAudit } from '../../../db/operations/audit-store.ts';
import type { Database, SystemTransaction } from '../../../db/client/database.ts';
import { lockPerson, removeEveryPasskey } from '../../../db/customers/passkey-store.ts';
import { findPersonCustomer } from '../../../db/customers/person-store.ts';
import type { ApprovalContent } from '../../../domain/approvals/approval.ts';
import type { Clock } from '../../../domain/clock.ts';
import { PLATFORM_ACCOUNT } from '../../../domain/platform-account.ts';
import type { Scope } from '../../../domain/scope.ts';
import { actorOf } from './person-audit.ts';

/**
 * What one operator proposes for a person who has lost all passkeys, and the scope of it; null where there is
 * no such person. A passkey or a role that changes in between makes the approval void.
 */
export async function passkeyRemoval(
  tx: SystemTransaction,
  personId: string,
): Promise<{ readonly scope: Scope; readonly content: ApprovalContent } | null> {
  const subjectVersion = await lockPerson(tx, personId);
  if (subjectVersion === null) return null;
  // Operators belong to no customer.
  const customerId = (await findPersonCustomer(tx, personId)) ?? PLATFORM_ACCOUNT;
  return {
    scope: { customerId, environment: 'live' },
    content: { action: 'REMOVE_PASSKEYS', subjectId: personId, subjectVersion, content: {} },
  };
}

/**
 * Proposes it, in one transaction with what is proposed about, and answers the proposal's id: null where one waits
 * already. 'NO_PERSON' where there is no such person.
 */
export function proposePasskeyRemoval(
  deps: ApprovalDeps,
  personId: string,
  act: OperatorAct,
): Promise<{ readonly proposalId: string | null } | 'NO_PERSON'> {
  return deps.db.system(async (tx) => {
    const removal = await passkeyRemoval(tx, personId);
    if (removal === null) return 'NO_PERSON';
    const within = { ...deps, db: withinTransaction(tx) };
    return { proposalId: await proposeApproval(within, removal.scope, removal.content, act) };
  });
}

/**
 * Removes all passkeys of a person once two operators have approved it, ends their sessions, and answers how
 * many there were. Throws ApprovalRefused where the person has changed since, or it was done before.
 */
export function removePasskeys(
  { db, clock }: { readonly db: Pick<Database, 'write'>; readonly clock: Clock },
  approval: ApprovalRow,
): Promise<number> {
  const { customerId, environment, subjectId } = approval;
  const scope = { customerId, environment };
  return db.write(scope, async (tx) => {
    const at = clock.now();
    const version = await lockPerson(tx, subjectId);
    if (version === null) throw new ApprovalRefused(`There is no person ${subjectId}.`);
    await useApproval(tx, scope, approval, version, at);
    const removed = await removeEveryPasskey(tx, subjectId, at);
    await recordAudit(tx, {
      at,
      actor: actorOf(approval.decidedBy ?? ''),
      action: 'passkey.remove_all',
      scope,
      subject: subjectId,
      details: { approvalId: approval.id, removed },
    });
    return removed;
  });
}
