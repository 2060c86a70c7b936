import { insertApproval, refuseExpiredApproval } from '../db/approval-store.ts';
import { recordAudit } from '../db/audit-store.ts';
import type { Database } from '../db/database.ts';
import { newId } from '../db/new-id.ts';
import { APPROVAL_LIFE_MS, type ApprovalContent } from '../domain/approvals/approval.ts';
import type { Clock } from '../domain/clock.ts';
import { ID_PREFIXES } from '../domain/ids.ts';
import type { Scope } from '../domain/scope.ts';

export interface ApprovalDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** Who acts, and why: without names of end-users, for the words are kept as they are. */
export interface OperatorAct {
  readonly operator: string;
  readonly reason: string;
}

/**
 * Writes down what one operator wants and answers the proposal's id, which a second operator approves
 * or refuses within seven days. Null where a proposal about the same thing waits already.
 */
export function proposeApproval(
  { db, clock }: ApprovalDeps,
  scope: Scope,
  proposal: ApprovalContent,
  { operator, reason }: OperatorAct,
): Promise<string | null> {
  return db.system(async (tx) => {
    const at = clock.now();
    const id = newId(ID_PREFIXES.approval);
    await refuseExpiredApproval(tx, proposal, { operator, reason: 'It ran out undecided.', at });
    const isNew = await insertApproval(tx, scope, {
      ...proposal,
      id,
      proposedBy: operator,
      reason,
      at,
      expiresAt: new Date(at.getTime() + APPROVAL_LIFE_MS),
    });
    if (!isNew) return null;
    await recordAudit(tx, {
      at,
      actor: { kind: 'OPERATOR', name: operator },
      action: 'approval.propose',
      scope,
      subject: id,
      details: { ...proposal, reason },
    });
    return id;
  });
}
