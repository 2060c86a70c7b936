import type { KycDocumentType } from './kyc-document.ts';

/** What a KYC provider may have us ask an end-user for. */
export const KYC_ASKS = ['IDENTITY', 'SELFIE', 'PROOF_OF_ADDRESS', 'COMPANY_REGISTER'] as const;

export type KycAsk = (typeof KYC_ASKS)[number];

/** The documents that answer what is asked for: one of the lists, whole. */
export const WAYS_TO_ANSWER: Readonly<Record<KycAsk, readonly (readonly KycDocumentType[])[]>> = {
  IDENTITY: [
    ['PASSPORT'],
    ['ID_CARD_FRONT', 'ID_CARD_BACK'],
    ['DRIVING_LICENCE_FRONT', 'DRIVING_LICENCE_BACK'],
    ['RESIDENCE_PERMIT'],
  ],
  SELFIE: [['SELFIE']],
  PROOF_OF_ADDRESS: [['PROOF_OF_ADDRESS']],
  COMPANY_REGISTER: [['COMPANY_REGISTER']],
};

/** What is asked for and not answered in full by documents of these types. */
export function missingAsks(
  asks: readonly KycAsk[],
  types: readonly KycDocumentType[],
): readonly KycAsk[] {
  return asks.filter(
    (ask) => !WAYS_TO_ANSWER[ask].some((way) => way.every((type) => types.includes(type))),
  );
}
