import { insertApproval, endExpiredProposal } from '../../db/approvals/approval-store.ts';
import { recordAudit } from '../../db/operations/audit-store.ts';
import type { Database, SystemTransaction } from '../../db/client/database.ts';
import { newId } from '../../db/client/new-id.ts';
import {
  APPROVAL_LIFE_MS,
  type ApprovalAction,
  type ApprovalContent,
} from '../../domain/approvals/approval.ts';
import { actorText, type Actor } from '../../domain/actor.ts';
import type { Clock } from '../../domain/clock.ts';
import { ID_PREFIXES, isId } from '../../domain/ids.ts';
import type { Scope } from '../../domain/scope.ts';
import { signDecision, type DecisionSigner } from './signatures/decision-signer.ts';
import { decisionOf } from './signatures/judge-signatures.ts';

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
  /** Signs what a logged-in operator proposes or approves. What is not signed cannot take effect. */
  readonly signer?: DecisionSigner;
}

/** A user of a customer who hands in what two operators decide, and why: the words are kept as they are. */
export interface UserRequest {
  readonly user: string;
  readonly reason: string;
}

/**
 * Writes down what one operator wants and answers the proposal's id, which a second operator approves
 * or refuses within seven days. What a command proposes, or a user asks for, is only handed in: an operator takes
 * it up first.
 * Null where a proposal about the same thing waits already.
 */
export function proposeApproval(
  { db, clock, tellApprovers }: ApprovalDeps,
  scope: Scope,
  proposal: ApprovalContent,
  by: OperatorAct | UserRequest,
): Promise<string | null> {
  const { reason } = by;
  const actor: Actor =
    'user' in by ? { kind: 'USER', id: by.user } : { kind: 'OPERATOR', name: by.operator };
  const typed = 'user' in by ? actorText(actor) : by.operator;
  const signer = 'user' in by ? undefined : by.signer;
  const isLoggedIn = isId(ID_PREFIXES.operator, typed);
  return db.system(async (tx) => {
    const at = clock.now();
    const id = signer?.approvalId ?? newId(ID_PREFIXES.approval);
    await endExpiredProposal(tx, proposal, at);
    const isNew = await insertApproval(tx, scope, {
      ...proposal,
      id,
      proposedBy: isLoggedIn ? typed : null,
      submittedBy: isLoggedIn ? null : typed,
      reason,
      at,
      expiresAt: new Date(at.getTime() + APPROVAL_LIFE_MS),
    });
    if (!isNew) return null;
    if (isLoggedIn && signer !== undefined) {
      const word = { step: 'PROPOSE', operatorId: typed, reason } as const;
      await signDecision(tx, signer, decisionOf({ ...proposal, ...scope, id }, word), at);
    }
    await recordAudit(tx, {
      at,
      actor,
      action: isLoggedIn ? 'approval.propose' : 'approval.hand_in',
      scope,
      subject: id,
      details: { ...proposal, reason },
    });
    if (isLoggedIn) {
      const { action } = proposal;
      await tellApprovers?.(tx, { approvalId: id, action, proposedBy: typed });
    }
    return id;
  });
}
