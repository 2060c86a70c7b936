import type { Environment } from '../scope.ts';

/** Which payment, and whose. */
export interface PaymentRef {
  readonly customerId: string;
  readonly environment: Environment;
  readonly paymentId: string;
}

/** Which payment is to be settled, and what Temporal UI says of it. */
export interface PaymentToStart extends PaymentRef {
  /** `SEPA`, or the network over which it is paid out. */
  readonly rail: string;
  /** Currency or stablecoin of what is paid out. */
  readonly currency: string;
}

/** Which deposit, and whose. */
export interface DepositRef {
  readonly customerId: string;
  readonly environment: Environment;
  readonly depositId: string;
}

/** Which payment batch, and whose. */
export interface PaymentBatchRef {
  readonly customerId: string;
  readonly environment: Environment;
  readonly batchId: string;
}

/** Which KYC check, and whose. */
export interface KycCheckRef {
  readonly customerId: string;
  readonly environment: Environment;
  readonly endUserId: string;
  readonly kycCheckId: string;
  readonly round: number;
}

/** Which webhook endpoint, and whose. */
export interface EndpointRef {
  readonly customerId: string;
  readonly environment: Environment;
  readonly endpointId: string;
}

/** Which mail. Whose it is, no one but its row knows. */
export interface MailRef {
  readonly mailId: string;
}

/** Which request for access. Whose it is, its row alone knows. */
export interface AccessRequestRef {
  readonly requestId: string;
}

/** A party that is paid for or paid to. */
export interface PartyRef {
  readonly kind: 'END_USER' | 'BANK_ACCOUNT';
  /** `eu_...` or `ba_...`. */
  readonly id: string;
}

/** Which party's names are to be looked up, and whose it is. */
export interface ScreeningRef extends PartyRef {
  readonly customerId: string;
  readonly environment: Environment;
}

/** Which bank statement; `statementId` is ours. */
export interface StatementRef {
  readonly environment: Environment;
  readonly connector: string;
  readonly statementId: string;
}

/**
 * An operator's decision about a payment that waits ON_HOLD. PostgreSQL stores who decided, and why, under
 * `decisionId`; without one the audit log names Temporal UI as the operator.
 */
export interface PaymentResolution {
  readonly action: 'RETRY';
  readonly decisionId?: string;
}
