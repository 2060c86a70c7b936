import {
  decideApproval as writeDecision,
  lockApproval,
  type ApprovalDecision,
  type ApprovalRow,
} from '../db/approval-store.ts';
import { recordAudit } from '../db/audit-store.ts';
import type { ApprovalDeps, OperatorAct } from './propose-approval.ts';

/** Why a decision cannot be taken: a sentence for the operator. */
export class ApprovalRefused extends Error {
  override readonly name = 'ApprovalRefused';
}

/**
 * Takes the decision of a second operator and answers the approval as it is then. Approving again what
 * is approved and not yet acted upon is no error: its effect may have been cut off. Throws
 * ApprovalRefused for an unknown, decided or expired proposal, and for the operator who made it.
 */
export function decideApproval(
  { db, clock }: ApprovalDeps,
  id: string,
  decision: ApprovalDecision['decision'],
  { operator, reason }: OperatorAct,
): Promise<ApprovalRow> {
  return db.system(async (tx) => {
    const at = clock.now();
    const approval = await lockApproval(tx, id);
    if (approval === null) throw new ApprovalRefused(`There is no proposal ${id}.`);
    const isInTime = approval.expiresAt > at;
    if (isCutOff(approval) && isInTime && decision === 'APPROVED') return approval;
    if (approval.decision !== null) {
      throw new ApprovalRefused(`It was decided before: ${approval.decision}.`);
    }
    if (decision === 'APPROVED' && !isInTime) {
      throw new ApprovalRefused('It ran out undecided; propose it anew.');
    }
    await writeDecision(tx, id, { decision, operator, reason, at }).catch(sayIfSameOperator);
    await recordAudit(tx, {
      at,
      actor: { kind: 'OPERATOR', name: operator },
      action: decision === 'APPROVED' ? 'approval.approve' : 'approval.refuse',
      scope: { customerId: approval.customerId, environment: approval.environment },
      subject: id,
      details: { reason, contentHash: approval.contentHash.toString('hex') },
    });
    return { ...approval, decision, decidedBy: operator };
  });
}

const isCutOff = ({ decision, usedAt }: ApprovalRow): boolean =>
  decision === 'APPROVED' && usedAt === null;

/** The database decides who is the same person: it knows both names. */
function sayIfSameOperator(error: unknown): never {
  if (error instanceof Error && 'constraint' in error) {
    if (error.constraint === 'two_operators_approve') {
      throw new ApprovalRefused('The operator who proposed it cannot approve it.');
    }
  }
  throw error;
}
