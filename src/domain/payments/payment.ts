import type { PaymentMovement } from '../ledger/movements.ts';
import type { FundsStatus, PaymentStatus, StatusDetail } from './payment-states.ts';

/** Why a payment failed, as the partner reads it. */
export interface PaymentFailure {
  readonly code: string;
  readonly category: 'BANK_REJECTED' | 'KYC' | 'COMPLIANCE' | 'INTERNAL';
  readonly message: string;
  readonly retryable: boolean;
  readonly railCode: string | null;
}

/** What came back of a returned payment. Amounts in minor units as decimal text. */
export interface PaymentReturn {
  readonly reason: string | null;
  readonly amount: string;
  readonly fee: string;
  readonly at: string;
}

export interface PaymentReference {
  readonly type: 'END_TO_END_ID' | 'BANK_REFERENCE';
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
export interface PaymentChange extends Partial<PaymentState> {
  readonly movements?: readonly PaymentMovement[];
}

/** A payment as ordered, beside its state. The amount is in minor units: what the bank is to pay out. */
export interface SettlingPayment extends PaymentState {
  readonly amount: bigint;
  /** Before it nothing is sent; null: it may leave at once. */
  readonly releaseAt: Date | null;
  readonly updatedAt: Date;
}
