import type { Transaction } from '../db/database.ts';
import type { PaymentRow } from '../db/payment-store.ts';
import type { StatusDetail } from '../domain/payments/payment-states.ts';
import type { Scope } from '../domain/scope.ts';

/**
 * Looks once more, just before the money leaves, at everything that may have been withdrawn since
 * the payment was accepted. The rows are held FOR SHARE: whoever withdraws waits for our commit.
 */
export async function findReleaseProblem(
  tx: Transaction,
  scope: Scope,
  payment: PaymentRow,
): Promise<StatusDetail | null> {
  const rows = await tx.query<{ kyc: string; owner: string; account: string; customer: string }>(
    `WITH c AS (SELECT status FROM customers WHERE id = $1 FOR SHARE),
       e AS (SELECT status, kyc_status FROM end_users
             WHERE customer_id = $1 AND environment = $2 AND id = $3 FOR SHARE),
       a AS (SELECT status FROM bank_accounts
             WHERE customer_id = $1 AND environment = $2 AND id = $4 FOR SHARE)
     SELECT e.kyc_status AS kyc, e.status AS owner, a.status AS account, c.status AS customer
     FROM c, e, a`,
    [scope.customerId, scope.environment, payment.endUserId, payment.bankAccountId],
  );
  const found = rows[0];
  if (found === undefined)
    throw new Error(`payment ${payment.id} has lost its end-user or account`);
  if (found.customer !== 'ACTIVE') return 'CUSTOMER_SUSPENDED';
  if (found.owner !== 'ACTIVE') return 'END_USER_NOT_ACTIVE';
  if (found.account !== 'ACTIVE') return 'BANK_ACCOUNT_DISABLED';
  return found.kyc === 'APPROVED' ? null : 'KYC_WITHDRAWN';
}
