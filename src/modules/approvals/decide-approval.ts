import {
  decideApproval as writeDecision,
  lockApproval,
  type ApprovalDecision,
  type ApprovalRow,
} from '../../db/approvals/approval-store.ts';
import { recordAudit, type AuditEntry } from '../../db/operations/audit-store.ts';
import type { SystemTransaction } from '../../db/client/database.ts';
import { listSignatures } from '../../db/approvals/approval-signature-store.ts';
import { ApprovalRefused } from './approval-refused.ts';
import type { ApprovalDeps, OperatorAct } from './propose-approval.ts';
import { signDecision } from './signatures/decision-signer.ts';
import { decisionOf, whyUnsigned } from './signatures/judge-signatures.ts';
import type { OperatorKeys } from '../../domain/approvals/operator-keys.ts';

/** What the database refuses a decision for, in words for the operator. */
const REFUSED_BY: Readonly<Record<string, string>> = {
  two_operators_approve:
    'You proposed this, so you cannot approve it. Another operator must approve it.',
  two_accounts_approve:
    'You proposed this, so you cannot approve it. Another operator must approve it.',
  approver_is_confirmed:
    'Your account was added by a command. Another admin must first confirm it on the Operators page.',
  approvals_are_operators:
    'Two operators must decide: one proposes and the other approves. Both must be active and confirmed, and have the right.',
  what_is_used_is_approved: 'The proposal is not approved, or it is void.',
  approvals_run_out: 'The proposal has expired. Make a new proposal.',
};

interface DecideDeps extends ApprovalDeps {
  /**
   * What the signatures of an approval are judged by. SIGNED_AS_A_SET: those of the set that it is an item of were. A refusal
   * takes none.
   */
  readonly operatorKeys?: OperatorKeys | 'SIGNED_AS_A_SET';
}

/**
 * Takes the decision of a second operator and answers the approval as it is then. Approving again what
 * is approved and not yet acted upon, without a signature, is no error: its effect may have been cut off. Throws
 * ApprovalRefused for an unknown, decided or expired proposal, for the operator who made it, and where what was decided is not
 * signed by both.
 */
export function decideApproval(
  { db, clock, operatorKeys }: DecideDeps,
  id: string,
  decision: ApprovalDecision['decision'],
  { operator, reason, signer }: OperatorAct,
): Promise<ApprovalRow> {
  return db.system(async (tx) => {
    const at = clock.now();
    const approval = await lockKnown(tx, id);
    const isInTime = approval.expiresAt > at;
    // Who signs saw it undecided: another operator was quicker.
    const mayRepeat = signer === undefined && decision === 'APPROVED';
    if (isCutOff(approval) && isInTime && mayRepeat) {
      await requireSigned(tx, operatorKeys, approval);
      await recordAudit(tx, auditOf(approval, 'approval.apply_again', { operator, reason }, at));
      return approval;
    }
    if (isCutOff(approval) && !isInTime) throw new ApprovalRefused(RAN_OUT_APPROVED);
    refuseDecided(approval);
    if (decision === 'APPROVED' && !isInTime) throw new ApprovalRefused(RAN_OUT);
    if (decision === 'APPROVED' && approval.proposedBy === null) {
      throw new ApprovalRefused(
        'An operator must take it up first. Then another operator can approve it.',
      );
    }
    const decided = { decision, operator, reason, at };
    const decidedAt = await writeDecision(tx, id, decided).catch(sayWhyRefused);
    const isApproved = decision === 'APPROVED';
    if (isApproved && signer !== undefined) {
      const word = { step: 'APPROVE', operatorId: operator, reason } as const;
      await signDecision(tx, signer, decisionOf(approval, word), at);
    }
    const by = { decidedBy: operator, decisionReason: reason };
    const decidedApproval = { ...approval, decision, decidedAt, ...by };
    if (isApproved) await requireSigned(tx, operatorKeys, decidedApproval);
    const action = isApproved ? 'approval.approve' : 'approval.refuse';
    await recordAudit(tx, auditOf(approval, action, { operator, reason }, decidedAt));
    return decidedApproval;
  });
}

/** Throws ApprovalRefused where the two have not signed what was approved: somebody may have written its row. */
async function requireSigned(
  tx: SystemTransaction,
  operatorKeys: DecideDeps['operatorKeys'],
  approval: ApprovalRow,
): Promise<void> {
  if (operatorKeys === 'SIGNED_AS_A_SET') return;
  if (operatorKeys === undefined) throw new Error('an approval is judged by keys of operators');
  const why = await whyUnsigned(operatorKeys, approval, await listSignatures(tx, approval.id));
  if (why !== null) throw new ApprovalRefused(`${why} Nothing was changed.`);
}

const RAN_OUT_APPROVED = 'The approval expired before it took effect. Make a new proposal.';
export const RAN_OUT = 'The proposal expired before it was decided. Make a new proposal.';

/** A proposal that no one else decides meanwhile. Throws ApprovalRefused where it is unknown. */
export async function lockKnown(tx: SystemTransaction, id: string): Promise<ApprovalRow> {
  const approval = await lockApproval(tx, id);
  if (approval === null) throw new ApprovalRefused(`There is no proposal ${id}.`);
  return approval;
}

export function refuseDecided({ decision, voidReason }: ApprovalRow): void {
  if (voidReason !== null) throw new ApprovalRefused(`It is void: ${voidReason}`);
  if (decision !== null) throw new ApprovalRefused(`It was already decided: ${decision}.`);
}

export const auditOf = (
  approval: ApprovalRow,
  action: string,
  { operator, reason }: OperatorAct,
  at: Date,
): AuditEntry => ({
  at,
  actor: { kind: 'OPERATOR', name: operator },
  action,
  scope: { customerId: approval.customerId, environment: approval.environment },
  subject: approval.id,
  details: { reason, contentHash: approval.contentHash.toString('hex') },
});

/** Approved, and not in effect: it waits for its effect, unless it has run out. */
export const isCutOff = ({ decision, usedAt, voidAt }: ApprovalRow): boolean =>
  decision === 'APPROVED' && usedAt === null && voidAt === null;

/** The database decides who is the same person, and who may: it sees the accounts as they are now. */
export function sayWhyRefused(error: unknown): never {
  const text =
    error instanceof Error && 'constraint' in error
      ? REFUSED_BY[String(error.constraint)]
      : undefined;
  if (text !== undefined) throw new ApprovalRefused(text);
  throw error;
}
