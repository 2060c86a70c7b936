import type { AccessRequestStatus } from '../customers/access/access-request.ts';
import type { FundingStatus } from '../onchain/deposits/apply-deposit.ts';
import type { ChainTransferState } from '../onchain/chain-transfer-state.ts';
import type { DepositStatus } from '../onchain/deposits/deposit.ts';
import type { KycStatus } from '../parties/kyc/kyc-states.ts';
import type { ReviewState } from '../parties/screening/wallet-verdict.ts';
import type { AttemptPhase } from '../payments/attempt.ts';
import type { BatchStatus } from '../payments/payment-batch.ts';
import type { FundsStatus, PaymentStatus, StatusDetail } from '../payments/payment-states.ts';
import type { SettlingPayment } from '../payments/payment.ts';
import type { StatementStatus } from '../reconciliation/statement-status.ts';
import type { OverdueKind } from './overdue.ts';

/** Notices that operators get at once, with the mail that tells of them. */
export const NOTICES_AT_ONCE = {
  PAYMENT_STUCK: 'OPS_PAYMENTS_STUCK',
  DEPOSIT_HELD: 'OPS_MONEY_WAITING',
  DEPOSIT_BLOCKED: 'OPS_MONEY_WAITING',
  WALLET_REVIEW: 'OPS_MONEY_WAITING',
  ACCESS_REQUEST: 'OPS_REQUEST_RECEIVED',
} as const;

type AtOnce = keyof typeof NOTICES_AT_ONCE;

/** By what an operator hears of a state that lasts; FINAL: nothing is to follow; BY_STATUS: the status tells. */
type StateNotice = OverdueKind | AtOnce | 'FINAL' | 'BY_STATUS';

type Notices<State extends string> = Readonly<Record<State, StateNotice>>;

const ofPayments: Notices<PaymentStatus> = {
  PROCESSING: 'PAYMENT_QUIET',
  ON_HOLD: 'BY_STATUS',
  SENT: 'PAYMENT_LATE',
  COMPLETED: 'PAYMENT_NOT_FINAL',
  FAILED: 'FINAL',
  CANCELED: 'FINAL',
  EXPIRED: 'FINAL',
  RETURNED: 'FINAL',
};

/** Of ON_HOLD the detail tells; of other statuses, the status. */
const ofDetails: Notices<StatusDetail> = {
  AWAITING_DEPOSIT: 'BY_STATUS',
  DEPOSIT_SEEN: 'BY_STATUS',
  QUEUED: 'BY_STATUS',
  SCHEDULED: 'BY_STATUS',
  SUBMITTING: 'BY_STATUS',
  OUTCOME_UNKNOWN: 'BY_STATUS',
  STALLED: 'PAYMENT_STUCK',
  IN_RAIL: 'BY_STATUS',
  RETRYING: 'BY_STATUS',
  SETTLEMENT_FAILED: 'PAYMENT_STUCK',
  KYC_WITHDRAWN: 'PAYMENT_HELD',
  COMPLIANCE_REVIEW: 'PAYMENT_HELD',
  COMPLIANCE_DECLINED: 'PAYMENT_HELD',
  CUSTOMER_SUSPENDED: 'PAYMENT_HELD',
  END_USER_NOT_ACTIVE: 'PAYMENT_HELD',
  BANK_ACCOUNT_DISABLED: 'PAYMENT_HELD',
  WALLET_NOT_ACTIVE: 'PAYMENT_HELD',
  WALLET_NOT_PROVED: 'PAYMENT_HELD',
  TRAVEL_RULE: 'PAYMENT_HELD',
  TRAVEL_RULE_REJECTED: 'PAYMENT_HELD',
  CORRIDOR_UNAVAILABLE: 'PAYMENT_HELD_BY_RAIL',
  QUOTE_EXPIRED: 'PAYMENT_HELD',
  AWAITING_RATE: 'PAYMENT_HELD_BY_RAIL',
  CUSTOMER_APPROVAL: 'PAYMENT_HELD',
  APPROVAL_EXPIRED: 'BY_STATUS',
  RELEASE_STOPPED: 'PAYMENT_HELD',
  AWAITING_LIQUIDITY: 'PAYMENT_HELD_BY_RAIL',
  NETWORK_CONGESTED: 'PAYMENT_HELD_BY_RAIL',
  SIGNING_STOPPED: 'PAYMENT_HELD_BY_RAIL',
  ENGINE_FAULT: 'PAYMENT_STUCK',
  REQUOTED: 'BY_STATUS',
  DELIVERED: 'BY_STATUS',
  REJECTED_BY_BANK: 'BY_STATUS',
  VOIDED: 'BY_STATUS',
  REVERTED: 'BY_STATUS',
  RETURNED_BY_BANK: 'BY_STATUS',
  CANCELED_ON_REQUEST: 'BY_STATUS',
  DEPOSIT_EXPIRED: 'BY_STATUS',
  DEPOSIT_UNDERPAID: 'BY_STATUS',
};

const ofFunds: Notices<FundsStatus> = {
  AWAITED: 'BY_STATUS',
  ARRIVING: 'BY_STATUS',
  HELD: 'BY_STATUS',
  IN_RAIL: 'BY_STATUS',
  DELIVERED: 'BY_STATUS',
  BACK_IN_BALANCE: 'BY_STATUS',
  UNKNOWN: 'BY_STATUS',
};

const ofReconciliation: Notices<SettlingPayment['reconciliationStatus']> = {
  PENDING: 'PAYMENT_UNRECONCILED',
  RECONCILED: 'FINAL',
  EXCEPTION: 'PAYMENT_STUCK',
};

const ofAttempts: Notices<AttemptPhase> = {
  READY: 'PAYMENT_QUIET',
  SENDING: 'PAYMENT_QUIET',
  NOT_SENT: 'PAYMENT_QUIET',
  UNKNOWN: 'PAYMENT_QUIET',
  ACCEPTED: 'PAYMENT_LATE',
  SETTLED: 'FINAL',
  REJECTED: 'FINAL',
  RETURNED: 'FINAL',
};

const ofBatches: Notices<BatchStatus> = { PROCESSING: 'BATCH_RUNNING', COMPLETED: 'FINAL' };

const ofKyc: Notices<KycStatus> = {
  NOT_STARTED: 'FINAL',
  PENDING: 'KYC_UNANSWERED',
  IN_REVIEW: 'KYC_IN_REVIEW',
  APPROVED: 'FINAL',
  REJECTED: 'FINAL',
  RESUBMISSION_REQUIRED: 'KYC_UNANSWERED',
  EXPIRED: 'FINAL',
  REVOKED: 'FINAL',
};

const ofDeposits: Notices<DepositStatus> = {
  SEEN: 'DEPOSIT_NOT_FINAL',
  CREDITED: 'DEPOSIT_NOT_FINAL',
  FINAL: 'FINAL',
  ORPHANED: 'FINAL',
  BLOCKED: 'DEPOSIT_BLOCKED',
  KEPT: 'FINAL',
};

const ofFundings: Notices<FundingStatus> = {
  AWAITED: 'PAYMENT_QUIET',
  HELD: 'PAYMENT_QUIET',
  CLOSED: 'FINAL',
};

const ofTransfers: Notices<ChainTransferState> = {
  WAITING: 'TRANSFER_WAITING',
  CARRIED: 'TRANSFER_WAITING',
  SETTLED: 'TRANSFER_NOT_FINAL',
  FINAL: 'FINAL',
  REJECTED: 'FINAL',
};

const ofStatements: Notices<StatementStatus> = {
  LISTED: 'STATEMENT_UNREAD',
  READ: 'STATEMENT_UNREAD',
  RECONCILED: 'FINAL',
  UNREADABLE: 'STATEMENT_REFUSED',
  REFUSED: 'STATEMENT_REFUSED',
};

const ofWalletReviews: Notices<ReviewState> = {
  OPEN: 'WALLET_REVIEW',
  RELEASED: 'FINAL',
  REFUSED: 'FINAL',
  SUPERSEDED: 'FINAL',
  EXPIRED: 'FINAL',
};

const ofAccessRequests: Notices<AccessRequestStatus> = {
  WAITING: 'ACCESS_REQUEST',
  APPROVED: 'FINAL',
  DECLINED: 'FINAL',
  EXPIRED: 'FINAL',
};

/**
 * By which notice an operator hears of each state that lasts, by what has the state. A new state does not compile before
 * it has a notice.
 */
export const STATE_NOTICES = {
  Payment: ofPayments,
  'Detail of a payment': ofDetails,
  'Funds of a payment': ofFunds,
  'Reconciliation of a payment': ofReconciliation,
  'Transfer attempt': ofAttempts,
  'Payment batch': ofBatches,
  'KYC check': ofKyc,
  'On-chain transfer': ofTransfers,
  Statement: ofStatements,
  Deposit: ofDeposits,
  'Wallet review': ofWalletReviews,
  'Funding of a payment': ofFundings,
  'Access request': ofAccessRequests,
} as const;

/** The details of a payment on hold of which operators hear by this notice. */
export const heldDetailsOf = (notice: StateNotice): readonly string[] =>
  Object.entries(ofDetails).flatMap(([detail, by]) => (by === notice ? [detail] : []));
