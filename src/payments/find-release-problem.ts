import { lockPartiesForShare, type Parties } from '../db/party-store.ts';
import { findReleaseStop, lockReleaseShared } from '../db/release-stop-store.ts';
import type { StatusDetail } from '../domain/payments/payment-states.ts';
import {
  graverOf,
  judgeScreening,
  type ScreeningVerdict,
} from '../domain/screening/screening-verdict.ts';
import type { LockedPayment } from './locked-payment.ts';

/** What is in a payment's way; UNSCREENED is no state of it, but a look-up that has to be made first. */
export type ReleaseProblem = StatusDetail | 'UNSCREENED';

/**
 * Looks once more, just before the money leaves, at everything that may have been withdrawn since the
 * payment was accepted, and at the operators' release switch. A withdrawal, a stop or another list of
 * sanctioned names waits for our commit; once it has committed, every later claim sees it.
 */
export async function findReleaseProblem(
  { tx, scope, corridors, payment, now }: LockedPayment,
  screenedSince: Date,
): Promise<ReleaseProblem | null> {
  // Before the look at the parties, which also reads the list in force: see RELEASE_LOCK_SHARED.
  await lockReleaseShared(tx);
  const [parties] = await lockPartiesForShare(tx, scope, [payment], now);
  if (!parties?.endUserStatus || !parties.accountStatus) {
    throw new Error(`payment ${payment.id} has lost its end-user or account`);
  }
  const screening = judgeParties(parties, screenedSince);
  // First, for it ends the payment whatever else it waits for.
  if (screening === 'REFUSED') return 'COMPLIANCE_DECLINED';
  if (parties.customerStatus !== 'ACTIVE') return 'CUSTOMER_SUSPENDED';
  if (parties.endUserStatus !== 'ACTIVE') return 'END_USER_NOT_ACTIVE';
  if (parties.accountStatus !== 'ACTIVE') return 'BANK_ACCOUNT_DISABLED';
  if (parties.kycStatus !== 'APPROVED') return 'KYC_WITHDRAWN';
  const { currency, rail } = payment;
  if (!corridors.isOpen(parties.country ?? '', currency, rail)) return 'CORRIDOR_UNAVAILABLE';
  if (screening === 'HIT') return 'COMPLIANCE_REVIEW';
  const stop = await findReleaseStop(tx, scope, payment.rail);
  if (stop !== null) return 'RELEASE_STOPPED';
  return screening === 'UNSCREENED' ? 'UNSCREENED' : null;
}

function judgeParties(parties: Parties, since: Date): ScreeningVerdict {
  const { currentList } = parties;
  const endUser = {
    status: parties.endUserScreening ?? 'UNSCREENED',
    list: parties.endUserScreenedIn,
    at: parties.endUserScreenedAt,
  };
  const account = {
    status: parties.accountScreening ?? 'UNSCREENED',
    list: parties.accountScreenedIn,
    at: parties.accountScreenedAt,
  };
  return graverOf(
    judgeScreening({ ...endUser, currentList }, since),
    judgeScreening({ ...account, currentList }, since),
  );
}
