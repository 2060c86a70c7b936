import { kycPath } from './kyc-states.ts';
import type { KycStatus } from './kyc-states.ts';

/** States between which a check can go on; a report that never came may have told of them. */
const STOPS: readonly KycStatus[] = ['APPROVED', 'RESUBMISSION_REQUIRED'];

/**
 * The moves that bring a check to what a newer report says, those whose own reports are late or lost
 * included: REVOKED told of a check IN_REVIEW means that it was APPROVED between. So reports end in
 * the same state in whichever order they come. Null where no way leads there.
 */
export function kycRoute(from: KycStatus, to: KycStatus): readonly KycStatus[] | null {
  const direct = kycPath(from, to);
  if (direct !== null) return direct;
  for (const stop of STOPS) {
    const first = kycPath(from, stop);
    const rest = kycPath(stop, to);
    if (first !== null && rest !== null) return [...first, ...rest];
  }
  return null;
}
