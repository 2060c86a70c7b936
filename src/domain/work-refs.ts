import type { Environment } from './scope.ts';

/** Which payment, and whose. */
export interface PaymentRef {
  readonly customerId: string;
  readonly environment: Environment;
  readonly paymentId: string;
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
