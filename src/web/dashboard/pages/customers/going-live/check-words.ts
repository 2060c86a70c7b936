import type { KycCheckRow } from '../../../../../db/parties/kyc-check-store.ts';
import { assertNever } from '../../../../../domain/assert-never.ts';
import type { KycStatus } from '../../../../../domain/parties/kyc/kyc-states.ts';
import type { Tone } from '../../../../kit/parts/chip.tsx';

interface Words {
  readonly tone: Tone;
  readonly state: string;
  readonly about: string;
}

/** Where the check of a company stands, for its people. */
export function checkWords(
  check: KycCheckRow | null,
  { isApproved, isOutdated }: { readonly isApproved: boolean; readonly isOutdated: boolean },
): Words {
  if (check === null) {
    return { tone: 'none', state: 'Not started', about: 'It needs the company’s data.' };
  }
  const reasons = check.reasons.map(({ message }) => message).join(' ');
  if (isOutdated) {
    return { tone: 'wait', state: 'Do it again', about: 'The company’s data has changed.' };
  }
  const [tone, state, about] = wordsOf(check.status, isApproved);
  return { tone, state, about: reasons === '' ? about : `${about} ${reasons}` };
}

function wordsOf(status: KycStatus, isApproved: boolean): readonly [Tone, string, string] {
  switch (status) {
    case 'NOT_STARTED':
    case 'PENDING':
      return ['wait', 'Needs your action', 'Complete the check on its own page.'];
    case 'IN_REVIEW':
      return ['moving', 'In review', 'The provider is reviewing the check and may ask for more.'];
    case 'RESUBMISSION_REQUIRED':
      return ['wait', 'Needs more', 'Something is missing or cannot be read.'];
    case 'APPROVED':
      return isApproved
        ? ['ok', 'Approved', 'The company is verified.']
        : ['wait', 'Expired', 'Start the check again.'];
    case 'REJECTED':
      return ['bad', 'Rejected', 'You can start the check again.'];
    case 'EXPIRED':
      return ['wait', 'Expired', 'Start the check again.'];
    case 'REVOKED':
      return ['bad', 'Revoked', 'You can start the check again.'];
    default:
      return assertNever(status);
  }
}
