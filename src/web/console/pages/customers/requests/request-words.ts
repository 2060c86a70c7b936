import type { AccessRequestStatus } from '../../../../../domain/customers/access/access-request.ts';
import type { DeclineReason } from '../../../../../modules/customers/access/decide-access-request.ts';
import type { Operator } from '../../../../../domain/customers/access/person.ts';
import { rolesWith } from '../../../../../domain/customers/access/rights.ts';
import type { Tone } from '../../../../kit/parts/chip.tsx';

export const REQUEST_CHIPS: Readonly<Record<AccessRequestStatus, { tone: Tone; text: string }>> = {
  WAITING: { tone: 'wait', text: 'Waiting' },
  APPROVED: { tone: 'ok', text: 'Approved' },
  DECLINED: { tone: 'bad', text: 'Declined' },
  EXPIRED: { tone: 'none', text: 'Expired' },
};

export const REASON_TEXTS: Readonly<Record<DeclineReason, string>> = {
  NOT_SERVED: 'We do not serve this country or business',
  NOT_PLAUSIBLE: 'The information is not plausible',
  DUPLICATE: 'Another request or account exists',
  ABUSE: 'Spam or abuse',
  OTHER: 'Another reason',
};

/** Whether this operator may decide requests, and so may read them. */
export const mayReadRequests = ({ role }: Operator): boolean =>
  (rolesWith('console', 'decide-requests') ?? []).includes(role);
