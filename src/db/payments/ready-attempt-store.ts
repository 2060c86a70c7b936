import type { Scope } from '../../domain/scope.ts';
import { walletsScreenedSince } from '../../domain/parties/screening/wallet-verdict.ts';
import type { ScopedTransaction } from '../client/database.ts';
import { KYC_STATUS_NOW } from '../parties/kyc-approval.ts';
import {
  CLAIMED_PAYMENT_COLUMNS,
  toPaymentRow,
  type PaymentRow,
  type StoredPayment,
} from './payment-store.ts';

/** A payment whose READY attempt has just become SENDING, and what of the attempt is not decided by that. */
export interface ClaimedRow {
  readonly payment: PaymentRow;
  readonly reference: string;
  readonly attemptNumber: number;
  /** Of the account: the rules say whether its corridor is open. Null: it goes to a wallet. */
  readonly country: string | null;
  /** Sealed under the end-user's key. */
  readonly encodedTransfer: Buffer;
}

/**
 * `judgeScreening` of the domain in SQL: the party was looked up in the list that is in force, not longer
 * ago than `screenedSince`, and nothing was found or operators have released it.
 */
const IS_CLEARED = `screening_status IN ('CLEAR', 'RELEASED') AND screened_at > :screenedSince
  AND screening_list = (SELECT version FROM screening_lists WHERE environment = :environment)`;

/** `judgeWalletScreening` of the domain in SQL. */
const IS_ADDRESS_CLEARED = `(screening_result = 'CLEAR' OR screening_result = 'REVIEW' AND EXISTS (
    SELECT FROM wallet_reviews r WHERE r.customer_id = :customerId AND r.environment = :environment
      AND r.wallet_id = wallets.id AND r.id = wallets.review_id AND r.outcome = 'RELEASED'))
  AND screened_for = 'RELEASE'
  AND screened_at > :walletsScreenedSince`;

/**
 * One guarded statement: of the payments named it takes those that may leave now, and makes their READY
 * attempts SENDING. May leave: PROCESSING / QUEUED, all of whose parties agree (and stay as they are until
 * the commit) and are cleared by screening, at a rate that is held, not stopped by operators, with no report of the bank
 * unread, of a customer without payment limits (`passLimits` counts the others),
 * and asked for after the last restore of the database. The others it leaves as they are. Under the
 * payments' row locks, in order of id, and after `RELEASE_LOCK_SHARED`: see there.
 */
const CLAIM = `
  WITH locked AS MATERIALIZED (
    SELECT ${CLAIMED_PAYMENT_COLUMNS} FROM payments
    WHERE customer_id = :customerId AND environment = :environment AND id = ANY (:ids)
    ORDER BY id FOR NO KEY UPDATE
  ),
  customer AS MATERIALIZED (
    SELECT id FROM customers WHERE id = :customerId AND status = 'ACTIVE' AND NOT has_payment_limits FOR SHARE
  ),
  end_user AS MATERIALIZED (
    -- The status of end-users and accounts is judged at the join: here, it would let a young table be read by whose rows
    -- are ACTIVE.
    SELECT id, status FROM end_users
    WHERE customer_id = :customerId AND environment = :environment
      AND id = ANY (ARRAY(SELECT "endUserId" FROM locked)) AND ${KYC_STATUS_NOW} = 'APPROVED' AND ${IS_CLEARED}
    ORDER BY id FOR SHARE
  ),
  account AS MATERIALIZED (
    SELECT id, country, status FROM bank_accounts
    WHERE customer_id = :customerId AND environment = :environment
      AND id = ANY (ARRAY(SELECT "bankAccountId" FROM locked)) AND ${IS_CLEARED}
    ORDER BY id FOR SHARE
  ),
  wallet AS MATERIALIZED (
    SELECT id FROM wallets
    WHERE customer_id = :customerId AND environment = :environment
      AND id = ANY (ARRAY(SELECT "walletId" FROM locked)) AND status = 'ACTIVE'
      AND ${IS_ADDRESS_CLEARED}
      AND (NOT :isProofAsked::boolean OR ownership = 'HOSTED' OR proved_at IS NOT NULL)
    ORDER BY id FOR SHARE
  ),
  claimed AS (
    UPDATE settlement_attempts a SET phase = 'SENDING', sends = 1, first_sent_at = :now, sent_at = :now,
      deadline_at = :deadlineAt, unknown_since = :now, ask_base_at = :now, updated_at = :now
    FROM locked p CROSS JOIN customer JOIN end_user ON end_user.id = p."endUserId" AND end_user.status = 'ACTIVE'
      LEFT JOIN account ON account.id = p."bankAccountId" AND account.status = 'ACTIVE'
      LEFT JOIN wallet ON wallet.id = p."walletId"
    WHERE a.customer_id = :customerId AND a.environment = :environment
      AND a.payment_id = ANY (:ids) AND a.payment_id = p.id
      AND p.status = 'PROCESSING' AND p."statusDetail" = 'QUEUED'
      AND a.phase = 'READY' AND (account.id IS NOT NULL OR wallet.id IS NOT NULL)
      AND p."reconciliationStatus" <> 'EXCEPTION'
      AND (p."rateHeldUntil" IS NULL OR p."rateHeldUntil" > :now)
      AND NOT EXISTS (SELECT FROM release_stops s WHERE s.resumed_at IS NULL
        AND (s.customer_id IS NULL OR s.customer_id = :customerId)
        AND (s.environment IS NULL OR s.environment = :environment)
        AND (s.rail IS NULL OR s.rail = p.rail))
      AND NOT EXISTS (SELECT FROM restore_mode m
        WHERE m.ended_at IS NULL OR m.ended_at > asked_for_at(p.id, p."createdAt"))
      AND (p."walletId" IS NULL OR NOT EXISTS (SELECT FROM travel_rule_records t
        WHERE t.payment_id = p.id AND t.status IN ('WAITING', 'REJECTED')))
      AND NOT EXISTS (SELECT FROM transfer_reports r
        WHERE r.payment_id = p.id AND r.processed_at IS NULL)
    RETURNING a.payment_id, a.reference, a.number, a.request, account.country
  )
  SELECT p.*, c.reference, c.number AS "attemptNumber", c.request AS "encodedTransfer", c.country
  FROM claimed c JOIN locked p ON p.id = c.payment_id`;

/** Claims what may leave of the payments named. See `CLAIM` for what keeps one from it. */
export async function claimReadyAttempts(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  ids: readonly string[],
  send: {
    readonly now: Date;
    readonly deadlineAt: Date;
    readonly screenedSince: Date;
    /** Then a wallet whose ownership is not proved is judged by what else was paid to it: not here. */
    readonly isProofAsked: boolean;
  },
): Promise<ClaimedRow[]> {
  const rows = await tx.query<StoredPayment & Omit<ClaimedRow, 'payment'>>(CLAIM, {
    ...{ customerId, environment, ids: [...ids], ...send },
    walletsScreenedSince: walletsScreenedSince(send.now),
  });
  return rows.map(({ reference, attemptNumber, country, encodedTransfer, ...payment }) => ({
    ...{ reference, attemptNumber, country, encodedTransfer },
    payment: toPaymentRow(payment),
  }));
}
