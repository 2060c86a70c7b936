import type { CheckStatus } from '../parties/kyc/kyc-states.ts';
import type { ControlRefusal } from './bank-control.ts';

/** States that the sandbox's KYC provider can be told to move a check to. */
export const DIRECTED_KYC_STATUSES = [
  'IN_REVIEW',
  'APPROVED',
  'REJECTED',
  'RESUBMISSION_REQUIRED',
  'EXPIRED',
  'REVOKED',
] as const satisfies readonly CheckStatus[];

type DirectedKycStatus = (typeof DIRECTED_KYC_STATUSES)[number];

/**
 * Directs the KYC provider of the test environment: it moves a check and tells it by its own signed callback. The
 * reference is our id of the check. Never throws for what the provider or the network does.
 */
export interface SandboxKycControl {
  decide(reference: string, status: DirectedKycStatus): Promise<'DONE' | ControlRefusal>;
}
