import { insertApproval, refuseExpiredApproval } from '../db/approval-store.ts';
import { recordAudit } from '../db/audit-store.ts';
import type { Database, SystemTransaction } from '../db/database.ts';
import { newId } from '../db/new-id.ts';
import {
  APPROVAL_LIFE_MS,
  type ApprovalAction,
  type ApprovalContent,
} from '../domain/approvals/approval.ts';
import type { Clock } from '../domain/clock.ts';
import { ID_PREFIXES, isId } from '../domain/ids.ts';
import type { Scope } from '../domain/scope.ts';

/** A proposal of an operator that waits for a second one. */
export interface WaitingApproval {
  readonly approvalId: string;
  readonly action: ApprovalAction;
  readonly proposedBy: string;
}

export interface ApprovalDeps {
  readonly db: Pick<Database, 'system'>;
  readonly clock: Clock;
  /** Tells those who may approve, in the transaction that makes it wait for them. */
  readonly tellApprovers?: (tx: SystemTransaction, waiting: WaitingApproval) => Promise<void>;
}

/** Who acts, and why: without names of end-users, for the words are kept as they are. */
export interface OperatorAct {
  /** `opr_...` of a logged-in operator, or the name that was given to a command. */
  readonly operator: string;
  readonly reason: string;
}

/** Who refuses what nobody decided in time. */
const EXPIRY = 'system:expiry';

/**
 * Writes down what one operator wants and answers the proposal's id, which a second operator approves
 * or refuses within seven days. What a command proposes is only handed in: an operator takes it up first.
 * Null where a proposal about the same thing waits already.
 */
export function proposeApproval(
  { db, clock, tellApprovers }: ApprovalDeps,
  scope: Scope,
  proposal: ApprovalContent,
  { operator, reason }: OperatorAct,
): Promise<string | null> {
  return db.system(async (tx) => {
    const at = clock.now();
    const id = newId(ID_PREFIXES.approval);
    await refuseExpiredApproval(tx, proposal, {
      operator: EXPIRY,
      reason: 'It ran out undecided.',
      at,
    });
    const isLoggedIn = isId(ID_PREFIXES.operator, operator);
    const isNew = await insertApproval(tx, scope, {
      ...proposal,
      id,
      proposedBy: isLoggedIn ? operator : null,
      submittedBy: isLoggedIn ? null : operator,
      reason,
      at,
      expiresAt: new Date(at.getTime() + APPROVAL_LIFE_MS),
    });
    if (!isNew) return null;
    await recordAudit(tx, {
      at,
      actor: { kind: 'OPERATOR', name: operator },
      action: isLoggedIn ? 'approval.propose' : 'approval.hand_in',
      scope,
      subject: id,
      details: { ...proposal, reason },
    });
    if (isLoggedIn) {
      const { action } = proposal;
      await tellApprovers?.(tx, { approvalId: id, action, proposedBy: operator });
    }
    return id;
  });
}
