import type { ScopedTransaction } from '../../../db/client/database.ts';
import type { EndUserRow } from '../../../db/parties/end-user-store.ts';
import { findNewestKycCheck } from '../../../db/parties/kyc-check-store.ts';
import { DATA_CHANGED } from '../../../domain/parties/kyc/kyc-reasons.ts';
import type { Scope } from '../../../domain/scope.ts';
import { changeKyc } from './change-kyc.ts';

/**
 * Withdraws the approval of a locked end-user whose identifying data is about to change: the check asks
 * for data again, the end-user's KYC status with it, and no payment of theirs leaves any more. Answers
 * the end-user as they are then. Must come before the change, so that no version shows the new data
 * under the old approval; the caller raises `identityVersion` in the same transaction.
 */
export async function requireKycAgain(
  tx: ScopedTransaction,
  scope: Scope,
  endUser: EndUserRow,
  at: Date,
): Promise<EndUserRow> {
  const check = await findNewestKycCheck(tx, scope, endUser.id);
  if (check?.status !== 'APPROVED') return endUser;
  const target = { status: 'RESUBMISSION_REQUIRED', reasons: [DATA_CHANGED] } as const;
  const { kyc } = await changeKyc(tx, scope, { endUser, check }, target, at);
  return kyc.endUser;
}
