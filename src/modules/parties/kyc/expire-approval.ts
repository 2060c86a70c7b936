import type { ScopedTransaction } from '../../../db/client/database.ts';
import type { EndUserRow } from '../../../db/parties/end-user-store.ts';
import { findNewestKycCheck, lockKycCheck } from '../../../db/parties/kyc-check-store.ts';
import type { KycCheckRow } from '../../../db/parties/kyc-check-store.ts';
import type { Scope } from '../../../domain/scope.ts';
import { applyKycReports, type AppliedReports } from './apply-kyc-reports.ts';
import { changeKyc, lockKyc } from './change-kyc.ts';
import { APPROVAL_EXPIRED, type KycJudging } from './reported-outcome.ts';

const isOver = ({ status, expiresAt }: KycCheckRow, at: Date): boolean =>
  status === 'APPROVED' && expiresAt !== null && expiresAt <= at;

/**
 * Ends an approval whose end has come: EXPIRED with APPROVAL_EXPIRED. Nothing is done where it has not,
 * or where it is ended already. What the provider reported before counts first: it may have
 * confirmed the approval.
 */
export async function expireApproval(
  tx: ScopedTransaction,
  scope: Scope,
  ref: { readonly endUserId: string; readonly kycCheckId: string },
  judging: KycJudging,
): Promise<Pick<AppliedReports, 'contradicted'>> {
  const applied = await applyKycReports(tx, scope, ref, judging);
  const kyc = await lockKyc(tx, scope, ref);
  if (kyc !== null && isOver(kyc.check, judging.at)) {
    await changeKyc(tx, scope, kyc, APPROVAL_EXPIRED, judging.at);
  }
  return { contradicted: applied?.contradicted ?? [] };
}

/** The newest check of a locked end-user, and both as they are once an approval that is over has ended. */
export async function endApproval(
  tx: ScopedTransaction,
  scope: Scope,
  endUser: EndUserRow,
  at: Date,
): Promise<{ readonly endUser: EndUserRow; readonly check: KycCheckRow | null }> {
  const newest = await findNewestKycCheck(tx, scope, endUser.id);
  if (newest === null || !isOver(newest, at)) return { endUser, check: newest };
  const check = await lockKycCheck(tx, scope, newest.id);
  if (check === null) throw new Error(`kyc check ${newest.id} is gone`);
  return (await changeKyc(tx, scope, { endUser, check }, APPROVAL_EXPIRED, at)).kyc;
}
