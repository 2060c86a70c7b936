import { ApprovalRefused } from '../../approvals/approval-refused.ts';
import { useApproval } from '../../approvals/use-approval.ts';
import type { ApprovalRow } from '../../../db/approvals/approval-store.ts';
import { recordAudit } from '../../../db/operations/audit-store.ts';
import type { ScopedTransaction } from '../../../db/client/database.ts';
import type { ApprovalContent } from '../../../domain/approvals/approval.ts';
import { approvalExpiry } from '../../../domain/parties/kyc/approval-expiry.ts';
import { publicReasons } from '../../../domain/parties/kyc/kyc-reasons.ts';
import { kycRoute } from '../../../domain/parties/kyc/kyc-route.ts';
import type { Scope } from '../../../domain/scope.ts';
import { applyKycReports } from './apply-kyc-reports.ts';
import { changeKyc, isOutdated, lockKyc, type KycTarget, type LockedKyc } from './change-kyc.ts';
import type { KycJudging } from './reported-outcome.ts';

/** What two operators may decide of a check. */
export const OVERRIDE_STATUSES = ['APPROVED', 'REJECTED'] as const;
export type OverrideStatus = (typeof OVERRIDE_STATUSES)[number];

/** What a first operator proposes, as the second one sees it. */
export function overrideContent(
  { check }: LockedKyc,
  to: OverrideStatus,
): ApprovalContent & { readonly action: 'KYC_OVERRIDE' } {
  return {
    action: 'KYC_OVERRIDE',
    subjectId: check.id,
    subjectVersion: check.version,
    content: { to, from: check.status, endUserId: check.endUserId },
  };
}

/** Why a check cannot be overridden so, as a sentence for the operator; null where it can. */
export function findOverrideProblem(kyc: LockedKyc, to: OverrideStatus): string | null {
  const { check, endUser } = kyc;
  if (check.round < endUser.kycRound)
    return `The KYC check ${check.id} is not the newest check of ${endUser.id}. Use the newest check.`;
  if (isOutdated(kyc))
    return `The data has changed since the KYC check ${check.id}. The customer must start a new check.`;
  const route = kycRoute(check.status, to);
  if (route !== null && route.length > 0) return null;
  return check.status === to
    ? `The KYC check ${check.id} is already ${to}.`
    : `The KYC check ${check.id} is ${check.status}, which cannot change. The customer must start a new check.`;
}

/**
 * Gives a check the state that two operators agreed on, by legal moves. What the provider reported
 * before counts first, and makes the approval void where it changed the check. Throws ApprovalRefused.
 */
export async function overrideKyc(
  tx: ScopedTransaction,
  scope: Scope,
  approval: ApprovalRow,
  judging: KycJudging,
): Promise<LockedKyc> {
  const ref = { endUserId: String(approval.content['endUserId']), kycCheckId: approval.subjectId };
  await applyKycReports(tx, scope, ref, judging);
  const kyc = await lockKyc(tx, scope, ref);
  if (kyc === null) throw new ApprovalRefused(`There is no KYC check ${ref.kycCheckId}.`);
  const { at } = judging;
  await useApproval(tx, scope, approval, kyc.check.version, at);
  const to = OVERRIDE_STATUSES.find((status) => status === approval.content['to']);
  if (to === undefined) throw new ApprovalRefused(`${approval.id} does not name a status.`);
  const problem = findOverrideProblem(kyc, to);
  if (problem !== null) throw new ApprovalRefused(problem);
  const change = await changeKyc(tx, scope, kyc, targetOf(to, approval.id, judging), at);
  await recordAudit(tx, {
    at,
    actor: { kind: 'OPERATOR', name: approval.decidedBy ?? '' },
    action: 'kyc.override',
    scope,
    subject: ref.kycCheckId,
    details: { ...approval.content, approvalId: approval.id, proposedBy: approval.proposedBy },
  });
  return change.kyc;
}

function targetOf(to: OverrideStatus, overrideId: string, judging: KycJudging): KycTarget {
  if (to === 'APPROVED') {
    const expiresAt = approvalExpiry(judging.at, judging.approvalDays, null);
    return { status: to, reasons: [], expiresAt, overrideId };
  }
  // The operators' own reason stays with them: it may tell of a sanctions list.
  return { status: to, reasons: publicReasons(['COMPLIANCE_DECLINED']), overrideId };
}
