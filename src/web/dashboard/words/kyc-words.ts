import type { EndUserStatus } from '../../../db/parties/end-user-store.ts';
import type { KycStatus } from '../../../domain/parties/kyc/kyc-states.ts';
import type { ChipProps } from '../../kit/parts/chip.tsx';

/** A state of KYC as people read it. */
export const KYC_WORDS: Readonly<Record<KycStatus, ChipProps>> = {
  NOT_STARTED: { tone: 'none', text: 'Not started' },
  PENDING: { tone: 'moving', text: 'Pending' },
  IN_REVIEW: { tone: 'moving', text: 'In review' },
  APPROVED: { tone: 'ok', text: 'Approved' },
  REJECTED: { tone: 'bad', text: 'Rejected' },
  RESUBMISSION_REQUIRED: { tone: 'wait', text: 'Resubmission required' },
  EXPIRED: { tone: 'wait', text: 'Expired' },
  REVOKED: { tone: 'bad', text: 'Revoked' },
};

export const END_USER_WORDS: Readonly<Record<EndUserStatus, ChipProps>> = {
  ACTIVE: { tone: 'ok', text: 'Active' },
  SUSPENDED: { tone: 'wait', text: 'Suspended' },
  CLOSED: { tone: 'none', text: 'Closed' },
};
