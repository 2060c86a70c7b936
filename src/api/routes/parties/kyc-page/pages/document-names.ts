import type { KycAsk } from '../../../../../domain/parties/kyc/document-asks.ts';
import type {
  KycContentType,
  KycDocumentType,
} from '../../../../../domain/parties/kyc/kyc-document.ts';
import type { KycFact } from '../../../../../modules/parties/kyc/given-facts.ts';

/** What documents are called on pages. */
export const DOCUMENT_NAMES: Readonly<Record<KycDocumentType, string>> = {
  PASSPORT: 'Passport',
  ID_CARD_FRONT: 'Identity card, front',
  ID_CARD_BACK: 'Identity card, back',
  DRIVING_LICENCE_FRONT: 'Driving licence, front',
  DRIVING_LICENCE_BACK: 'Driving licence, back',
  RESIDENCE_PERMIT: 'Residence permit',
  SELFIE: 'Photo of your face',
  PROOF_OF_ADDRESS: 'Proof of address',
  COMPANY_REGISTER: 'Company register extract',
  OTHER: 'Another document',
};

/** What is asked for, as a heading. */
export const ASK_NAMES: Readonly<Record<KycAsk, string>> = {
  IDENTITY: 'Proof of identity',
  SELFIE: 'Photo of your face',
  PROOF_OF_ADDRESS: 'Proof of address',
  COMPANY_REGISTER: 'Company register extract',
};

/** What is asked for, in a sentence. */
export const ASK_TEXTS: Readonly<Record<KycAsk, string>> = {
  IDENTITY:
    'One of these, still valid: a passport (the page with your photo), both sides of an identity card, both sides of a driving licence, or a residence permit.',
  SELFIE: 'A photo of your face from the front, in good light, without glasses or a hat.',
  PROOF_OF_ADDRESS:
    'A bill or bank statement with your name and address on it, not older than three months.',
  COMPANY_REGISTER: 'An extract from the company register, not older than three months.',
};

/** What a check goes by, in words. */
export const FACT_NAMES: Readonly<Record<KycFact, string>> = {
  NAME: 'Your name',
  DATE_OF_BIRTH: 'Your date of birth',
  NATIONALITY: 'Your nationality',
  ADDRESS: 'The address',
  TAX_NUMBER: 'Your tax number',
  COMPANY_NAME: 'The name of the company',
  REGISTRATION_NUMBER: 'Its registration number',
  INCORPORATION_COUNTRY: 'The country it is registered in',
  REPRESENTATIVES: 'Who represents it',
};

export const CONTENT_NAMES: Readonly<Record<KycContentType, string>> = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'application/pdf': 'PDF',
};

/** "2.1 MB", or "34 kB" below a tenth of that. */
export function sizeText(bytes: number): string {
  if (bytes >= 100_000) return `${(bytes / 1_048_576).toFixed(1)} MB`;
  return `${String(Math.max(1, Math.round(bytes / 1_024)))} kB`;
}

/** "22 Nov 2026, 14:02 UTC": the one who looks at it may be anywhere. */
export function timeText(at: Date): string {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat('en-GB', format).format(at)} UTC`;
}
