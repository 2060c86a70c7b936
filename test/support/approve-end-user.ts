import { randomBytes } from 'node:crypto';
import type { Database, ScopedTransaction } from '../../src/db/client/database.ts';
import { lockEndUser } from '../../src/db/parties/end-user-store.ts';
import { recordEvent } from '../../src/db/webhooks/event-store.ts';
import { insertKycCheck } from '../../src/db/parties/kyc-check-store.ts';
import { insertKycReport, markKycReport } from '../../src/db/parties/kyc-report-store.ts';
import { newId } from '../../src/db/client/new-id.ts';
import type { Scope } from '../../src/domain/scope.ts';
import { changeKyc, followCheck, lockKyc } from '../../src/modules/parties/kyc/change-kyc.ts';
import { kycEvent } from '../../src/modules/parties/kyc/kyc-view.ts';

/** Opens one more round of KYC for an end-user and approves it, without an end unless one is given. Answers the check's id. */
export function approveEndUser(
  db: Database,
  scope: Scope,
  endUserId: string,
  at: Date,
  expiresAt: Date | null = null,
): Promise<string> {
  return db.write(scope, (tx) => approveWithin(tx, scope, endUserId, at, expiresAt));
}

/** The same, inside a transaction of the scope. */
export async function approveWithin(
  tx: ScopedTransaction,
  scope: Scope,
  endUserId: string,
  at: Date,
  expiresAt: Date | null = null,
): Promise<string> {
  const endUser = await lockEndUser(tx, scope, endUserId);
  if (endUser === null) throw new Error('there is no such end-user');
  const check = await insertKycCheck(tx, scope, {
    id: newId('kyc'),
    endUserId,
    round: endUser.kycRound + 1,
    identityVersion: endUser.identityVersion,
    link: { tokenHmac: randomBytes(32), token: randomBytes(40), expiresAt: at },
    redirectUrl: null,
    at,
  });
  await recordEvent(tx, scope, kycEvent(check, null), at);
  await followCheck(tx, scope, endUser, check, at);
  const kyc = await lockKyc(tx, scope, { endUserId, kycCheckId: check.id });
  if (kyc === null) throw new Error('the check is gone');
  const reportId = await insertKycReport(tx, scope, {
    ...{ kycCheckId: check.id, reportId: 'approved', status: 'APPROVED', reasonCodes: [] },
    ...{ providerVersion: 1, expiresAt, receivedAt: at },
  });
  await changeKyc(tx, scope, kyc, { status: 'APPROVED', reasons: [], expiresAt }, at);
  await markKycReport(tx, scope, reportId, 'APPLIED', at);
  return check.id;
}

/** Takes an end-user's approval back. */
export function revokeApproval(
  db: Database,
  scope: Scope,
  ref: { readonly endUserId: string; readonly kycCheckId: string },
  at: Date,
): Promise<void> {
  return db.write(scope, async (tx) => {
    const kyc = await lockKyc(tx, scope, ref);
    if (kyc === null) throw new Error('the check is gone');
    await changeKyc(tx, scope, kyc, { status: 'REVOKED', reasons: [] }, at);
  });
}
