import { publicReasonCode } from './kyc-states.ts';

/** Why a check has its status, as the outside may read it. */
export interface KycReason {
  readonly code: string;
  readonly message: string;
  /** Whether the end-user can mend it by trying again. */
  readonly retryable: boolean;
}

const reason = (code: string, message: string, retryable: boolean): KycReason => ({
  code,
  message,
  retryable,
});

/**
 * Every reason that leaves the service. The sentences are ours: a provider's text may name a person
 * or a list that the person was found on.
 */
const REASONS: readonly KycReason[] = [
  reason('IDENTITY_NOT_VERIFIED', 'The identity could not be verified.', false),
  reason('DOCUMENT_UNREADABLE', 'A document cannot be read.', true),
  reason('DOCUMENT_EXPIRED', 'A document has expired.', true),
  reason('DOCUMENT_NOT_ACCEPTED', 'A document of this kind is not accepted.', true),
  reason('DOCUMENT_MISMATCH', 'A document does not match the data given.', true),
  reason('SELFIE_MISMATCH', 'The photograph does not match the document.', true),
  reason('DATA_INCOMPLETE', 'Data is missing.', true),
  reason('ADDRESS_NOT_VERIFIED', 'The address could not be verified.', true),
  reason('UNDERAGE', 'The person is too young.', false),
  reason('COUNTRY_NOT_SUPPORTED', 'People of this country cannot be verified.', false),
  reason('DUPLICATE_PERSON', 'The person is registered already.', false),
  reason('BUSINESS_NOT_VERIFIED', 'The business could not be verified.', false),
  reason('APPROVAL_WITHDRAWN', 'The approval was withdrawn.', false),
  reason('APPROVAL_EXPIRED', 'The approval has expired.', false),
  reason('COMPLIANCE_DECLINED', 'The check was declined for compliance reasons.', false),
];

/** A reason of our own. A provider's code of that name leaves as OTHER. */
export const DATA_CHANGED = reason(
  'DATA_CHANGED',
  'Data that the check was about has changed: start a new check.',
  true,
);

const OTHER = reason('OTHER', 'The provider gave no reason that can be passed on.', false);

/**
 * What the outside may know of a provider's reason codes: a closed set, each once, in order. A code
 * that we do not know leaves as OTHER, for it might name a sanctions list.
 */
export function publicReasons(codes: readonly string[]): KycReason[] {
  const found = codes.map((code) => {
    const wanted = publicReasonCode(code.toUpperCase());
    return REASONS.find((known) => known.code === wanted) ?? OTHER;
  });
  return [...new Set(found)];
}
