import type { ShownFunding } from '../onchain/deposits/shown-funding.ts';
import type { PaymentMovement } from '../ledger/movements.ts';
import type { Finality, FinalityChange } from './finality.ts';
import type { OutcomeReason } from './failures/outcome-reason.ts';
import type { PaymentDestination } from './payment-destination.ts';
import type { FundsStatus, PaymentStatus, StatusDetail } from './payment-states.ts';

/** Why a payment failed, as the partner reads it. */
export type PaymentFailure = OutcomeReason;

/** What came back of a returned payment, and why. Amounts in minor units as decimal text. */
export interface PaymentReturn extends Partial<OutcomeReason> {
  /** The bank's code; null where it gave none, or none that may be told. */
  readonly reason: string | null;
  readonly amount: string;
  readonly fee: string;
  readonly at: string;
  /** It came back when the payment was final, and operators credited it. */
  readonly isLate?: true;
}

export interface PaymentReference {
  /** TX_HASH: of the transaction that pays a wallet. */
  readonly type: 'END_TO_END_ID' | 'BANK_REFERENCE' | 'TX_HASH';
  readonly value: string;
}

/** What the settlement rules look at in a payment, and may change. */
export interface PaymentState {
  readonly status: PaymentStatus;
  readonly statusDetail: StatusDetail;
  readonly fundsStatus: FundsStatus;
  readonly failure: PaymentFailure | null;
  readonly returnInfo: PaymentReturn | null;
  readonly reconciliationStatus: 'PENDING' | 'RECONCILED' | 'EXCEPTION';
  readonly reconciliationEvidence: Readonly<Record<string, unknown>> | null;
  readonly refs: readonly PaymentReference[];
  /** Retryable rejections so far. */
  readonly rejections: number;
  readonly hasOpenAttempt: boolean;
}

/** One new version of a payment: what it changes, and the money that moves with it, in order. */
export interface PaymentChange extends Partial<PaymentState>, FinalityChange {
  readonly movements?: readonly PaymentMovement[];
}

/** A payment as ordered, beside its state. The amount is in minor units: what the bank is to pay out. */
export interface SettlingPayment extends PaymentState {
  readonly amount: bigint;
  readonly finality: Finality;
  readonly destination: Pick<PaymentDestination, 'kind'>;
  /** Before it nothing is sent; null: it may leave at once. */
  readonly releaseAt: Date | null;
  /** Null: its balance pays it. */
  readonly funding: Pick<ShownFunding, 'status' | 'expiresAt'> | null;
  readonly updatedAt: Date;
  /** Since when it is ON_HOLD for the same reason; null: it is not. */
  readonly heldSince: Date | null;
}
