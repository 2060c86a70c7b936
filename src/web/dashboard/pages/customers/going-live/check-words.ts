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
    return { tone: 'none', state: 'Not started', about: 'It takes the company’s data.' };
  }
  const reasons = check.reasons.map(({ message }) => message).join(' ');
  if (isOutdated) {
    return { tone: 'wait', state: 'To be done again', about: 'The company’s data has changed.' };
  }
  const [tone, state, about] = wordsOf(check.status, isApproved);
  return { tone, state, about: reasons === '' ? about : `${about} ${reasons}` };
}

function wordsOf(status: KycStatus, isApproved: boolean): readonly [Tone, string, string] {
  switch (status) {
    case 'NOT_STARTED':
    case 'PENDING':
      return ['wait', 'Waits for you', 'It is done on a page of its own.'];
    case 'IN_REVIEW':
      return ['moving', 'In review', 'The provider decides; there may be more to be said there.'];
    case 'RESUBMISSION_REQUIRED':
      return ['wait', 'Asks for more', 'Something is missing or cannot be read.'];
    case 'APPROVED':
      return isApproved
        ? ['ok', 'Approved', 'The company is who it says it is.']
        : ['wait', 'Run out', 'It is to be done again.'];
    case 'REJECTED':
      return ['bad', 'Rejected', 'It can be started again.'];
    case 'EXPIRED':
      return ['wait', 'Run out', 'It is to be done again.'];
    case 'REVOKED':
      return ['bad', 'Revoked', 'It can be started again.'];
    default:
      return assertNever(status);
  }
}
