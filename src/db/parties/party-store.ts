import type { EndUserStatus, Relationship } from './end-user-store.ts';
import type { BankAccountStatus } from './bank-account-store.ts';
import type { WalletOwnership, WalletStatus } from './wallet-store.ts';
import type { Network } from '../../domain/onchain/network.ts';
import type { NameCheck } from '../../domain/parties/bank-accounts/name-check.ts';
import type { KycStatus } from '../../domain/parties/kyc/kyc-states.ts';
import type {
  AddressVerdict,
  LookUpReason,
} from '../../domain/parties/screening/address-screening.ts';
import type { ReviewState } from '../../domain/parties/screening/wallet-verdict.ts';
import type { ScreeningStatus } from '../../domain/parties/screening/screening-verdict.ts';
import {
  destinationIds,
  type OrderDestination,
} from '../../domain/payments/payment-destination.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';
import { ownerKeyOf } from './end-user-key-store.ts';
import { KYC_STATUS_NOW } from './kyc-approval.ts';
import { rowSource } from '../client/row-source.ts';

/** Every party whose state decides on a payment; null where there is no such row in the scope. */
export interface Parties {
  readonly customerStatus: 'ACTIVE' | 'SUSPENDED' | null;
  /** Whether the customer ever set a payment limit. */
  readonly hasPaymentLimits: boolean | null;
  readonly endUserStatus: EndUserStatus | null;
  readonly relationship: Relationship | null;
  /** EXPIRED once an approval's end has come. */
  readonly kycStatus: KycStatus | null;
  /** See `KeyOwner`. */
  readonly ownerKey: Buffer | null;
  readonly accountOwner: string | null;
  readonly accountStatus: BankAccountStatus | null;
  readonly nameCheck: NameCheck | null;
  readonly country: string | null;
  readonly currency: string | null;
  readonly rail: string | null;
  /** The account's part that is sealed under its owner's key. */
  readonly accountPersonal: Buffer | null;
  readonly endUserScreening: ScreeningStatus | null;
  readonly endUserScreenedIn: string | null;
  readonly endUserScreenedAt: Date | null;
  readonly accountScreening: ScreeningStatus | null;
  readonly accountScreenedIn: string | null;
  readonly accountScreenedAt: Date | null;
  /** Null also where the wallet is the customer's own: `walletStatus` says whether there is one. */
  readonly walletOwner: string | null;
  readonly walletStatus: WalletStatus | null;
  readonly walletOwnership: WalletOwnership | null;
  readonly walletProvedAt: Date | null;
  readonly walletCreatedAt: Date | null;
  readonly network: Network | null;
  readonly address: string | null;
  readonly walletScreening: AddressVerdict | null;
  /** How the review of what was found stands; null where there is none. */
  readonly walletReview: ReviewState | null;
  readonly walletScreenedAt: Date | null;
  readonly walletScreenedFor: LookUpReason | null;
  /** The version of the environment's list of sanctioned names; null where it has none yet. */
  readonly currentList: string | null;
}

const WANTED = rowSource('wanted', {
  endUserId: 'text',
  bankAccountId: 'text',
  walletId: 'text',
});

const SHARE_PARTIES = `
  WITH wanted AS (SELECT * FROM ${WANTED.sql}),
    c AS (SELECT status, has_payment_limits FROM customers WHERE id = :customerId FOR SHARE),
    e AS (SELECT id, status, relationship, ${KYC_STATUS_NOW} AS kyc_status, screening_status, screening_list,
            screened_at
          FROM end_users
          WHERE customer_id = :customerId AND environment = :environment
            AND id = ANY (:wanted_endUserId::text[]) ORDER BY id FOR SHARE),
    a AS (SELECT id, end_user_id, status, name_check, country, currency, rail, personal,
            screening_status, screening_list, screened_at
          FROM bank_accounts
          WHERE customer_id = :customerId AND environment = :environment
            AND id = ANY (:wanted_bankAccountId::text[]) ORDER BY id FOR SHARE),
    w AS (SELECT id, end_user_id, status, ownership, proved_at, created_at, network, address,
            screening_result, screened_at, screened_for, review_id
          FROM wallets
          WHERE customer_id = :customerId AND environment = :environment
            AND id = ANY (:wanted_walletId::text[]) ORDER BY id FOR SHARE)
  SELECT c.status AS "customerStatus", c.has_payment_limits AS "hasPaymentLimits", e.status AS "endUserStatus", e.relationship, e.kyc_status AS "kycStatus",
    ${ownerKeyOf('e.id')}, a.end_user_id AS "accountOwner", a.status AS "accountStatus",
    a.name_check AS "nameCheck", a.country, a.currency, a.rail,
    a.personal AS "accountPersonal",
    e.screening_status AS "endUserScreening", e.screening_list AS "endUserScreenedIn",
    e.screened_at AS "endUserScreenedAt", a.screening_status AS "accountScreening",
    a.screening_list AS "accountScreenedIn", a.screened_at AS "accountScreenedAt",
    w.end_user_id AS "walletOwner", w.status AS "walletStatus",
    w.ownership AS "walletOwnership", w.proved_at AS "walletProvedAt",
    w.created_at AS "walletCreatedAt", w.network, w.address,
    w.screening_result AS "walletScreening",
    CASE WHEN r.id IS NOT NULL THEN coalesce(r.outcome, 'OPEN') END AS "walletReview", w.screened_at AS "walletScreenedAt",
    w.screened_for AS "walletScreenedFor", l.version AS "currentList"
  FROM wanted LEFT JOIN c ON true LEFT JOIN e ON e.id = wanted.end_user_id
    LEFT JOIN a ON a.id = wanted.bank_account_id LEFT JOIN w ON w.id = wanted.wallet_id
    LEFT JOIN wallet_reviews r ON r.customer_id = :customerId AND r.environment = :environment
      AND r.wallet_id = w.id AND r.id = w.review_id
    LEFT JOIN screening_lists l ON l.environment = :environment
  ORDER BY turn`;

/** Who a payment is for and where it goes. */
interface PartyIds {
  readonly endUserId: string;
  readonly destination: OrderDestination;
}

const wantedIds = ({ endUserId, destination }: PartyIds) => ({
  endUserId,
  ...destinationIds(destination),
});

/**
 * Reads the parties of payments as they stand `now`, in the payments' order. They must stay as they are until the transaction
 * ends: another one that suspends, closes, revokes or disables one of them waits for our commit.
 */
export async function lockPartiesForShare(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  payments: readonly PartyIds[],
  now: Date,
): Promise<Parties[]> {
  return tx.query<Parties>(SHARE_PARTIES, {
    ...{ customerId, environment, now },
    ...WANTED.values(payments.map(wantedIds)),
  });
}

const READ_PARTIES = SHARE_PARTIES.replaceAll(' FOR SHARE', '');

/** The same as they stand `now`, without a lock: for what decides nothing. */
export async function readParties(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  payments: readonly PartyIds[],
  now: Date,
): Promise<Parties[]> {
  return tx.query<Parties>(READ_PARTIES, {
    ...{ customerId, environment, now },
    ...WANTED.values(payments.map(wantedIds)),
  });
}
