import type { Network } from '../network.ts';

/**
 * SEEN: a block holds it, not deep enough yet. CREDITED: it is in the books. FINAL: no reorganisation takes
 * it back. ORPHANED: the block that held it is no longer of the chain; it may be mined again. BLOCKED: its
 * sender is on a list, and it is in suspense. KEPT: operators decided that it stays there for good.
 */
export const DEPOSIT_STATUSES = [
  'SEEN',
  'CREDITED',
  'FINAL',
  'ORPHANED',
  'BLOCKED',
  'KEPT',
] as const;
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number];

/**
 * To which statuses each may change by itself. The database holds the same table (`guard_deposit`). FINAL and KEPT go to
 * ORPHANED only on a network that took back what it had called final, and that operators let go on; BLOCKED goes to
 * CREDITED or KEPT only by an approval of two operators.
 */
export const DEPOSIT_MOVES: Readonly<Record<DepositStatus, readonly DepositStatus[]>> = {
  SEEN: ['CREDITED', 'BLOCKED', 'ORPHANED'],
  CREDITED: ['FINAL', 'ORPHANED'],
  FINAL: [],
  ORPHANED: ['SEEN'],
  BLOCKED: ['ORPHANED'],
  KEPT: [],
};

/** Whether only a network that takes back its final blocks changes it: FINAL, or KEPT. */
export const isForGood = (status: DepositStatus): boolean =>
  status === 'FINAL' || status === 'KEPT';

/** What two operators make of a BLOCKED deposit: RELEASE credits it, KEEP leaves it in suspense for good. */
export const BLOCKED_DECISIONS = ['RELEASE', 'KEEP'] as const;
export type BlockedDecision = (typeof BLOCKED_DECISIONS)[number];

/**
 * What operators make of a deposit whose sender should be looked at. HELD: it is not credited before they
 * have. RELEASED: it is, as another one. REFUSED: it is blocked.
 */
export type DepositReview = 'HELD' | 'RELEASED' | 'REFUSED';

/** What a deposit went to. Of one that went to a payment, the rest may be in the balance (SURPLUS). */
export const APPLIED_TO = ['PAYMENT', 'BALANCE', 'SUSPENSE'] as const;
export type AppliedTo = (typeof APPLIED_TO)[number];

/**
 * Why units of a deposit are in the customer's balance and not in a payment. LATE: its block is younger
 * than the payment's time, or the payment has ended. SURPLUS: the payment needed no more. UNDERPAID: the
 * payment ended with less than was due. BELOW_MINIMUM: less than its address takes. PAYMENT_REFUSED: its
 * address pays on, and the payment was refused; the code stands beside it.
 */
export const DEPOSIT_REASONS = [
  'LATE',
  'SURPLUS',
  'UNDERPAID',
  'WRONG_ASSET',
  'WRONG_NETWORK',
  'BELOW_MINIMUM',
  'PAYMENT_REFUSED',
] as const;
export type DepositReason = (typeof DEPOSIT_REASONS)[number];

/** Where the units of a deposit are. */
export interface Application {
  readonly appliedTo: AppliedTo;
  readonly reason: DepositReason | null;
  /** Minor units for the payment; the rest of the amount is where `appliedTo` says, or in the balance. */
  readonly toPayment: bigint;
}

/** A deposit as the books know it. */
export interface BookedDeposit {
  readonly id: string;
  readonly network: Network;
  readonly asset: string;
  /** Minor units, more than zero; never changes. */
  readonly amount: bigint;
  /** The timestamp of the block that holds it. */
  readonly blockAt: Date;
  readonly status: DepositStatus;
  /** Null while nothing of it is in the books. */
  readonly applied: Application | null;
  /**
   * Of the movements that come next, from 1. A movement of each kind is made once a round; a round ends
   * when what was credited or held is taken back.
   */
  readonly round: number;
}
