/** What an end-user may be asked for. */
export const KYC_DOCUMENT_TYPES = [
  'PASSPORT',
  'ID_CARD_FRONT',
  'ID_CARD_BACK',
  'DRIVING_LICENCE_FRONT',
  'DRIVING_LICENCE_BACK',
  'RESIDENCE_PERMIT',
  'SELFIE',
  'PROOF_OF_ADDRESS',
  'COMPANY_REGISTER',
  'OTHER',
] as const;

export type KycDocumentType = (typeof KYC_DOCUMENT_TYPES)[number];

export function isKycDocumentType(text: string): text is KycDocumentType {
  return (KYC_DOCUMENT_TYPES as readonly string[]).includes(text);
}

/** What may be uploaded; the bytes say which of them it is, see `readDocument`. */
export type KycContentType = 'image/jpeg' | 'image/png' | 'application/pdf';

/** Bytes of one document. */
export const KYC_DOCUMENT_BYTES_MAX = 10 * 1024 * 1024;

/** Documents that may be submitted at once, and that a check may have in all: resubmissions included. */
export const KYC_DOCUMENTS_AT_ONCE_MAX = 6;
export const KYC_DOCUMENTS_MAX = 24;
