import type { ScopedTransaction } from '../../../db/client/database.ts';
import { lockEndUser, updateEndUserKyc } from '../../../db/parties/end-user-store.ts';
import type { EndUserRow } from '../../../db/parties/end-user-store.ts';
import { recordEvent } from '../../../db/webhooks/event-store.ts';
import { lockKycCheck, updateKycCheck } from '../../../db/parties/kyc-check-store.ts';
import type { KycCheckRow } from '../../../db/parties/kyc-check-store.ts';
import { DATA_CHANGED } from '../../../domain/parties/kyc/kyc-reasons.ts';
import type { KycReason } from '../../../domain/parties/kyc/kyc-reasons.ts';
import { kycRoute } from '../../../domain/parties/kyc/kyc-route.ts';
import type { KycStatus } from '../../../domain/parties/kyc/kyc-states.ts';
import type { Scope } from '../../../domain/scope.ts';
import { endUserEvent } from '../end-users/end-user-view.ts';
import { kycEvent } from './kyc-view.ts';

/** A check and its end-user, both locked by the running transaction. */
export interface LockedKyc {
  readonly endUser: EndUserRow;
  readonly check: KycCheckRow;
}

/** Where a change led: `kyc` is what is stored now, whatever the effect. */
interface KycChange {
  readonly effect: 'APPLIED' | 'UNCHANGED' | 'OUTDATED' | 'ILLEGAL';
  readonly kyc: LockedKyc;
}

/** Locks the end-user, then the check: all code that changes either does it in this order. */
export async function lockKyc(
  tx: ScopedTransaction,
  scope: Scope,
  ref: { readonly endUserId: string; readonly kycCheckId: string },
): Promise<LockedKyc | null> {
  const endUser = await lockEndUser(tx, scope, ref.endUserId);
  const check = await lockKycCheck(tx, scope, ref.kycCheckId);
  return endUser !== null && check?.endUserId === endUser.id ? { endUser, check } : null;
}

/** Whether a check is about data of its end-user that has changed since. It approves no one any more. */
export function isOutdated({ endUser, check }: LockedKyc): boolean {
  return check.identityVersion < endUser.identityVersion;
}

/** What a check comes to. */
export interface KycTarget {
  readonly status: KycStatus;
  readonly reasons: readonly KycReason[];
  /** Until when an approval holds; without an end where it is left out. */
  readonly expiresAt?: Date | null;
  /** The approval in use, where two operators decide. */
  readonly overrideId?: string | null;
}

const START_AGAIN: KycTarget = { status: 'RESUBMISSION_REQUIRED', reasons: [DATA_CHANGED] };

/**
 * The one way to move a KYC check: by legal moves only, each a version with its event. The newest
 * round moves its end-user along. A state that no way leads to changes nothing (ILLEGAL). An outdated
 * check never passes APPROVED: what would lead through it leads to RESUBMISSION_REQUIRED (OUTDATED).
 */
export async function changeKyc(
  tx: ScopedTransaction,
  scope: Scope,
  kyc: LockedKyc,
  target: KycTarget,
  at: Date,
): Promise<KycChange> {
  const approves = kycRoute(kyc.check.status, target.status)?.includes('APPROVED') === true;
  if (!approves || !isOutdated(kyc)) return moveKyc(tx, scope, kyc, target, at);
  const change = await moveKyc(tx, scope, kyc, START_AGAIN, at);
  return change.effect === 'ILLEGAL' ? change : { ...change, effect: 'OUTDATED' };
}

async function moveKyc(
  tx: ScopedTransaction,
  scope: Scope,
  kyc: LockedKyc,
  target: KycTarget,
  at: Date,
): Promise<KycChange> {
  const route = kycRoute(kyc.check.status, target.status);
  if (route === null) return { effect: 'ILLEGAL', kyc };
  if (route.length === 0) return changeDetails(tx, scope, kyc, target, at);
  let { endUser, check } = kyc;
  for (const [step, status] of route.entries()) {
    const before = check;
    // Reasons and end are those of the outcome, not of the states that led to it.
    const { reasons, expiresAt = null } = step === route.length - 1 ? target : { reasons: [] };
    check = await updateKycCheck(tx, scope, check, {
      ...{ status, reasons, expiresAt, at },
      overrideId: target.overrideId ?? null,
    });
    await recordEvent(tx, scope, kycEvent(check, before), at);
    endUser = await followCheck(tx, scope, endUser, check, at);
  }
  return { effect: 'APPLIED', kyc: { endUser, check } };
}

/** Writes the state of their newest check onto the end-user. An older round says nothing any more. */
export async function followCheck(
  tx: ScopedTransaction,
  scope: Scope,
  endUser: EndUserRow,
  check: KycCheckRow,
  at: Date,
): Promise<EndUserRow> {
  if (check.round < endUser.kycRound) return endUser;
  const { status: kycStatus, round: kycRound, expiresAt: kycExpiresAt } = check;
  const moved = await updateEndUserKyc(tx, scope, endUser, {
    ...{ kycStatus, kycRound, kycExpiresAt },
    at,
  });
  await recordEvent(tx, scope, endUserEvent('end_user.updated', moved, endUser), at);
  return moved;
}

/** The same state with other reasons, or an approval with another end. */
async function changeDetails(
  tx: ScopedTransaction,
  scope: Scope,
  kyc: LockedKyc,
  { status, reasons, expiresAt = null, overrideId = null }: KycTarget,
  at: Date,
): Promise<KycChange> {
  const codes = (list: readonly KycReason[]) => list.map((reason) => reason.code).join();
  const hasReasons = codes(reasons) === codes(kyc.check.reasons);
  const hasEnd = expiresAt?.getTime() === kyc.check.expiresAt?.getTime();
  if (hasReasons && hasEnd) return { effect: 'UNCHANGED', kyc };
  const check = await updateKycCheck(tx, scope, kyc.check, {
    ...{ status, reasons, expiresAt, overrideId, at },
  });
  await recordEvent(tx, scope, kycEvent(check, kyc.check), at);
  const endUser = hasEnd ? kyc.endUser : await followCheck(tx, scope, kyc.endUser, check, at);
  return { effect: 'APPLIED', kyc: { endUser, check } };
}
