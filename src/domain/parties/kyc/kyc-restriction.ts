import type { KycStatus } from './kyc-states.ts';

/** How far a state is from letting money out. Only of APPROVED may any leave. */
const RESTRICTION: Readonly<Record<KycStatus, number>> = {
  APPROVED: 0,
  NOT_STARTED: 1,
  PENDING: 1,
  IN_REVIEW: 1,
  RESUBMISSION_REQUIRED: 2,
  EXPIRED: 3,
  REVOKED: 3,
  REJECTED: 3,
};

/** Whether the second state lets out less than the first. */
export function isMoreRestrictive(than: KycStatus, status: KycStatus): boolean {
  return RESTRICTION[status] > RESTRICTION[than];
}
