import { lockPartiesForShare } from '../db/party-store.ts';
import { findReleaseStop, lockReleaseShared } from '../db/release-stop-store.ts';
import type { StatusDetail } from '../domain/payments/payment-states.ts';
import type { LockedPayment } from './locked-payment.ts';

/**
 * Looks once more, just before the money leaves, at everything that may have been withdrawn since the
 * payment was accepted, and at the operators' release switch. A withdrawal or a stop waits for our
 * commit; once it has committed, every later claim sees it.
 */
export async function findReleaseProblem({
  tx,
  scope,
  corridors,
  payment,
  now,
}: LockedPayment): Promise<StatusDetail | null> {
  const [parties] = await lockPartiesForShare(tx, scope, [payment], now);
  if (!parties?.endUserStatus || !parties.accountStatus) {
    throw new Error(`payment ${payment.id} has lost its end-user or account`);
  }
  if (parties.customerStatus !== 'ACTIVE') return 'CUSTOMER_SUSPENDED';
  if (parties.endUserStatus !== 'ACTIVE') return 'END_USER_NOT_ACTIVE';
  if (parties.accountStatus !== 'ACTIVE') return 'BANK_ACCOUNT_DISABLED';
  if (parties.kycStatus !== 'APPROVED') return 'KYC_WITHDRAWN';
  const { currency, rail } = payment;
  if (!corridors.isOpen(parties.country ?? '', currency, rail)) return 'CORRIDOR_UNAVAILABLE';
  await lockReleaseShared(tx);
  const stop = await findReleaseStop(tx, scope, payment.rail);
  return stop === null ? null : 'RELEASE_STOPPED';
}
