/** The states of a payment and the moves between them; the database holds the same table. */
export const PAYMENT_STATUSES = [
  'PROCESSING',
  'ON_HOLD',
  'SENT',
  'COMPLETED',
  'FAILED',
  'CANCELED',
  'EXPIRED',
  'RETURNED',
] as const;

export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

const MOVES: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  PROCESSING: ['ON_HOLD', 'SENT', 'COMPLETED', 'FAILED', 'CANCELED', 'EXPIRED'],
  ON_HOLD: ['PROCESSING', 'SENT', 'COMPLETED', 'FAILED', 'CANCELED', 'EXPIRED', 'RETURNED'],
  SENT: ['ON_HOLD', 'COMPLETED', 'FAILED', 'RETURNED'],
  COMPLETED: ['RETURNED'],
  FAILED: [],
  CANCELED: [],
  EXPIRED: [],
  RETURNED: [],
};

/** Whether a payment may go from one status to another. Staying (a change of detail) is no move. */
export function isLegalMove(from: PaymentStatus, to: PaymentStatus): boolean {
  return MOVES[from].includes(to);
}

/** What a payment comes to: COMPLETED or a final status. */
export const PAYMENT_OUTCOMES = ['COMPLETED', 'FAILED', 'CANCELED', 'EXPIRED', 'RETURNED'] as const;

export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number];

/** Whether nothing but reconciliation can change a payment in this status any more. */
export function isFinal(status: PaymentStatus): boolean {
  return MOVES[status].length === 0;
}

/** Whether the payment workflow has nothing left to do: final, or COMPLETED. */
export function isSettledOrFinal(status: PaymentStatus): status is PaymentOutcome {
  return status === 'COMPLETED' || isFinal(status);
}

export const PAYMENT_MOVES: readonly (readonly [PaymentStatus, PaymentStatus])[] =
  PAYMENT_STATUSES.flatMap((from) => MOVES[from].map((to) => [from, to] as const));

export const STATUS_DETAILS = [
  'AWAITING_DEPOSIT',
  'DEPOSIT_SEEN',
  'QUEUED',
  'SCHEDULED',
  'SUBMITTING',
  'OUTCOME_UNKNOWN',
  'STALLED',
  'IN_RAIL',
  'RETRYING',
  'SETTLEMENT_FAILED',
  'KYC_WITHDRAWN',
  'COMPLIANCE_REVIEW',
  'COMPLIANCE_DECLINED',
  'CUSTOMER_SUSPENDED',
  'END_USER_NOT_ACTIVE',
  'BANK_ACCOUNT_DISABLED',
  'WALLET_NOT_ACTIVE',
  'WALLET_NOT_PROVED',
  'TRAVEL_RULE',
  'TRAVEL_RULE_REJECTED',
  'CORRIDOR_UNAVAILABLE',
  'QUOTE_EXPIRED',
  'AWAITING_RATE',
  'REQUOTED',
  'CUSTOMER_APPROVAL',
  'APPROVAL_EXPIRED',
  'RELEASE_STOPPED',
  'AWAITING_LIQUIDITY',
  'NETWORK_CONGESTED',
  'SIGNING_STOPPED',
  'ENGINE_FAULT',
  'DELIVERED',
  'REJECTED_BY_BANK',
  'VOIDED',
  'REVERTED',
  'RETURNED_BY_BANK',
  'CANCELED_ON_REQUEST',
  'DEPOSIT_EXPIRED',
  'DEPOSIT_UNDERPAID',
] as const;

/** Why a payment is where it is. An open set to the outside, closed to ourselves. */
export type StatusDetail = (typeof STATUS_DETAILS)[number];

export const FUNDS_STATUSES = [
  'AWAITED',
  'ARRIVING',
  'HELD',
  'IN_RAIL',
  'DELIVERED',
  'BACK_IN_BALANCE',
  'UNKNOWN',
] as const;

/** Where the money is. */
export type FundsStatus = (typeof FUNDS_STATUSES)[number];
