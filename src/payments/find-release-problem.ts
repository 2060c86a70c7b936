import type { ScopedTransaction } from '../db/database.ts';
import { lockPartiesForShare } from '../db/party-store.ts';
import type { PaymentRow } from '../db/payment-store.ts';
import type { StatusDetail } from '../domain/payments/payment-states.ts';
import type { Scope } from '../domain/scope.ts';

/**
 * Looks once more, just before the money leaves, at everything that may have been withdrawn since
 * the payment was accepted. Whoever withdraws waits for our commit.
 */
export async function findReleaseProblem(
  tx: ScopedTransaction,
  scope: Scope,
  payment: PaymentRow,
): Promise<StatusDetail | null> {
  const parties = await lockPartiesForShare(tx, scope, payment);
  if (parties.endUserStatus === null || parties.accountStatus === null)
    throw new Error(`payment ${payment.id} has lost its end-user or account`);
  if (parties.customerStatus !== 'ACTIVE') return 'CUSTOMER_SUSPENDED';
  if (parties.endUserStatus !== 'ACTIVE') return 'END_USER_NOT_ACTIVE';
  if (parties.accountStatus !== 'ACTIVE') return 'BANK_ACCOUNT_DISABLED';
  return parties.kycStatus === 'APPROVED' ? null : 'KYC_WITHDRAWN';
}
