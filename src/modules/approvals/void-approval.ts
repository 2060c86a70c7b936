import { voidApproval, type ApprovalRow } from '../../db/approvals/approval-store.ts';
import { recordAudit } from '../../db/operations/audit-store.ts';
import { ApprovalRefused } from './approval-refused.ts';
import { auditOf, isCutOff, lockKnown, refuseDecided, sayWhyRefused } from './decide-approval.ts';
import type { ApprovalDeps, OperatorAct } from './propose-approval.ts';

/** What the table takes. */
const REASON_MAX = 500;

/**
 * Takes back what two operators approved and is not in effect: by either of them, or another operator who may
 * approve it, for it narrows. Throws ApprovalRefused where it is in effect, void or not approved, and for
 * any other operator.
 */
export function withdrawApproval(
  { db, clock }: ApprovalDeps,
  id: string,
  act: OperatorAct,
): Promise<void> {
  return db.system(async (tx) => {
    const at = clock.now();
    const approval = await lockKnown(tx, id);
    if (!isCutOff(approval)) {
      if (approval.voidAt !== null) refuseDecided(approval);
      throw new ApprovalRefused(
        approval.usedAt === null ? 'It is not approved.' : 'It has already taken effect.',
      );
    }
    const { operator, reason } = act;
    const voiding = { as: 'WITHDRAWN', operator, reason, at } as const;
    if (!(await voidApproval(tx, id, voiding).catch(sayWhyRefused))) {
      throw new ApprovalRefused('It has already taken effect.');
    }
    await recordAudit(tx, auditOf(approval, 'approval.withdraw', act, at));
  });
}

/**
 * Makes void an approval whose effect was refused, so that no single operator brings it into effect once what
 * stood against it is gone. False where it is in effect or void already.
 */
export function voidRefused(
  { db, clock }: ApprovalDeps,
  approval: ApprovalRow,
  { operator, reason: why }: OperatorAct,
): Promise<boolean> {
  return db.system(async (tx) => {
    const at = clock.now();
    await lockKnown(tx, approval.id);
    const reason = why.slice(0, REASON_MAX);
    const voiding = { as: 'EFFECT_REFUSED', operator, reason, at } as const;
    if (!(await voidApproval(tx, approval.id, voiding))) return false;
    await recordAudit(tx, auditOf(approval, 'approval.void', { operator, reason }, at));
    return true;
  });
}
