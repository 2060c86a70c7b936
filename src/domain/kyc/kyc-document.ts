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

/** What may be uploaded, by the bytes that such a file begins with. */
const BEGINNINGS = {
  'image/jpeg': [0xff, 0xd8, 0xff],
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'application/pdf': [0x25, 0x50, 0x44, 0x46, 0x2d],
} as const;

export type KycContentType = keyof typeof BEGINNINGS;

/** Bytes of one document. */
export const KYC_DOCUMENT_BYTES_MAX = 10 * 1024 * 1024;

/** Documents of one check that wait at a time, and that it may have in all: resubmissions included. */
export const KYC_DOCUMENTS_WAITING_MAX = 6;
export const KYC_DOCUMENTS_MAX = 24;

/** Whether the content begins as its type says: a file of another kind must not pass for a picture. */
export function isContentOf(
  contentType: string,
  content: Uint8Array,
): contentType is KycContentType {
  const beginning = (BEGINNINGS as Partial<Record<string, readonly number[]>>)[contentType];
  return beginning?.every((byte, index) => content[index] === byte) === true;
}
