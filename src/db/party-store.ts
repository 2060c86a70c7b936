import type { EndUserStatus } from './end-user-store.ts';
import type { BankAccountStatus } from './bank-account-store.ts';
import type { KycStatus } from '../domain/kyc/kyc-states.ts';
import type { Scope } from '../domain/scope.ts';
import type { ScopedTransaction } from './database.ts';

/** Everybody whose consent a payment needs; null where there is no such row in the scope. */
export interface Parties {
  readonly customerStatus: 'ACTIVE' | 'SUSPENDED' | null;
  readonly endUserStatus: EndUserStatus | null;
  readonly kycStatus: KycStatus | null;
  readonly accountOwner: string | null;
  readonly accountStatus: BankAccountStatus | null;
  readonly country: string | null;
  readonly currency: string | null;
  readonly rail: string | null;
}

const SHARE_PARTIES = `
  WITH c AS (SELECT status FROM customers WHERE id = $1 FOR SHARE),
    e AS (SELECT status, kyc_status FROM end_users
          WHERE customer_id = $1 AND environment = $2 AND id = $3 FOR SHARE),
    a AS (SELECT end_user_id, status, country, currency, rail FROM bank_accounts
          WHERE customer_id = $1 AND environment = $2 AND id = $4 FOR SHARE)
  SELECT c.status AS "customerStatus", e.status AS "endUserStatus", e.kyc_status AS "kycStatus",
    a.end_user_id AS "accountOwner", a.status AS "accountStatus", a.country, a.currency, a.rail
  FROM (SELECT 1) one LEFT JOIN c ON true LEFT JOIN e ON true LEFT JOIN a ON true`;

/**
 * Reads a payment's parties, who must stay as they are until the transaction ends: another one that
 * suspends, closes, revokes or disables one of them waits for our commit.
 */
export async function lockPartiesForShare(
  tx: ScopedTransaction,
  scope: Scope,
  ids: { readonly endUserId: string; readonly bankAccountId: string },
): Promise<Parties> {
  const rows = await tx.query<Parties>(SHARE_PARTIES, [
    scope.customerId,
    scope.environment,
    ids.endUserId,
    ids.bankAccountId,
  ]);
  if (rows[0] === undefined) throw new Error('a look at the parties answers one row');
  return rows[0];
}
