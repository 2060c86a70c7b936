import type { BankAccountRow } from '../../../db/parties/bank-account-store.ts';
import type { EndUserRow } from '../../../db/parties/end-user-store.ts';
import type { KycCheckRow } from '../../../db/parties/kyc-check-store.ts';
import { bankAccountEvent } from '../../parties/bank-accounts/bank-account-view.ts';
import type { EventDraft } from '../../../domain/webhooks/events/envelope.ts';
import { publicReasons } from '../../../domain/parties/kyc/kyc-reasons.ts';
import type { KycStatus } from '../../../domain/parties/kyc/kyc-states.ts';
import { endUserEvent } from '../../parties/end-users/end-user-view.ts';
import { kycEvent } from '../../parties/kyc/kyc-view.ts';
import { madeBefore, NOTHING_SEALED, sampleId } from './sample-ids.ts';

type Sample = (at: Date) => EventDraft;
type OfFamily<Family extends string> = Extract<EventDraft['type'], `${Family}.${string}`>;

const YEAR_MS = 365 * 24 * 3_600_000;

/** A row at its first version, or at its second one. */
const times = (at: Date, version: number) => ({
  version,
  createdAt: version === 1 ? at : madeBefore(at),
  updatedAt: at,
});

const endUser = (at: Date, version: number, more: Partial<EndUserRow> = {}): EndUserRow => ({
  ...{ id: sampleId('eu'), seq: 0n, type: 'INDIVIDUAL', relationship: 'CLIENT' },
  ...{ externalId: 'sample-user', status: 'ACTIVE', kycStatus: 'NOT_STARTED', kycRound: 0 },
  ...{ identityVersion: 1, personal: NOTHING_SEALED, ownerKey: null, erasedAt: null },
  ...times(at, version),
  ...more,
});

export const END_USER_SAMPLES: Readonly<Record<OfFamily<'end_user'>, Sample>> = {
  'end_user.created': (at) => endUserEvent('end_user.created', endUser(at, 1)),
  'end_user.updated': (at) =>
    endUserEvent('end_user.updated', endUser(at, 2, { kycStatus: 'PENDING' }), endUser(at, 1)),
  'end_user.closed': (at) =>
    endUserEvent('end_user.closed', endUser(at, 2, { status: 'CLOSED' }), endUser(at, 1)),
};

const check = (at: Date, version: number, status: KycStatus): KycCheckRow => ({
  ...{ id: sampleId('kyc'), endUserId: sampleId('eu'), ownerKey: null, round: 1 },
  ...{ identityVersion: 1, status, reasons: reasonsOf(status), overrideId: null },
  expiresAt: status === 'APPROVED' ? new Date(at.getTime() + YEAR_MS) : null,
  ...{
    linkToken: NOTHING_SEALED,
    linkExpiresAt: at,
    redirectUrl: null,
    providerUrl: null,
    documentsAsked: [],
  },
  ...times(at, version),
});

function reasonsOf(status: KycStatus) {
  if (status === 'RESUBMISSION_REQUIRED') return publicReasons(['DOCUMENT_UNREADABLE']);
  if (status === 'REJECTED') return publicReasons(['IDENTITY_NOT_VERIFIED']);
  if (status === 'EXPIRED') return publicReasons(['APPROVAL_EXPIRED']);
  return status === 'REVOKED' ? publicReasons(['APPROVAL_WITHDRAWN']) : [];
}

const movedFrom =
  (from: KycStatus, to: KycStatus): Sample =>
  (at) =>
    kycEvent(check(at, 2, to), check(madeBefore(at), 1, from));

export const KYC_SAMPLES: Readonly<Record<OfFamily<'kyc'>, Sample>> = {
  'kyc.pending': (at) => kycEvent(check(at, 1, 'PENDING'), null),
  'kyc.in_review': movedFrom('PENDING', 'IN_REVIEW'),
  'kyc.approved': movedFrom('IN_REVIEW', 'APPROVED'),
  'kyc.rejected': movedFrom('IN_REVIEW', 'REJECTED'),
  'kyc.resubmission_required': movedFrom('IN_REVIEW', 'RESUBMISSION_REQUIRED'),
  'kyc.expired': movedFrom('APPROVED', 'EXPIRED'),
  'kyc.revoked': movedFrom('APPROVED', 'REVOKED'),
  'kyc.updated': movedFrom('PENDING', 'PENDING'),
};

const account = (at: Date, version: number, status: BankAccountRow['status']): BankAccountRow => ({
  ...{ id: sampleId('ba'), seq: 0n, endUserId: sampleId('eu'), country: 'DE', currency: 'EUR' },
  ...{ rail: 'SEPA', holderType: 'INDIVIDUAL', fingerprint: 'sample', personal: NOTHING_SEALED },
  ...{ ownerKey: null, bankName: 'Sample Bank', status, nameCheck: 'MATCH' },
  ...times(at, version),
});

export const BANK_ACCOUNT_SAMPLES: Readonly<Record<OfFamily<'bank_account'>, Sample>> = {
  'bank_account.created': (at) =>
    bankAccountEvent('bank_account.created', account(at, 1, 'ACTIVE')),
  'bank_account.activated': (at) =>
    bankAccountEvent('bank_account.activated', account(at, 2, 'ACTIVE')),
  'bank_account.disabled': (at) =>
    bankAccountEvent('bank_account.disabled', account(at, 2, 'DISABLED')),
};
