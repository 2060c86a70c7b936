import type { KycAsk } from './document-asks.ts';
import type { KycContentType, KycDocumentType } from './kyc-document.ts';
import type { KycStatus } from './kyc-states.ts';

/** A person to verify. */
interface KycPerson {
  readonly firstName: string;
  readonly lastName: string;
  /** YYYY-MM-DD. */
  readonly dateOfBirth?: string;
  /** ISO 3166-1 alpha-2. */
  readonly nationality?: string;
  readonly taxIds?: readonly { readonly country: string; readonly number: string }[];
}

/** Whom to verify. Of a business the fields of a person are those of the first one, who stands for it. */
interface KycSubject extends KycPerson {
  readonly type: 'INDIVIDUAL' | 'BUSINESS';
  /** Every person who represents a business, the first one included. */
  readonly persons?: readonly KycPerson[];
  readonly legalName?: string;
  readonly registrationNumber?: string;
  /** ISO 3166-1 alpha-2. */
  readonly incorporationCountry?: string;
  /** Where a person lives, or a business has its seat. */
  readonly address?: {
    readonly line1: string;
    readonly line2?: string;
    readonly city: string;
    readonly region?: string;
    readonly postalCode?: string;
    /** ISO 3166-1 alpha-2. */
    readonly country: string;
  };
}

export interface KycOpening extends KycSubject {
  /** Our id of the check: the same one again means the same check. */
  readonly reference: string;
  /** Where the provider's page sends the end-user afterwards. */
  readonly redirectUrl?: string;
}

/** A check that is open at the provider. */
export interface OpenedCheck {
  /** The provider's page for the end-user. */
  readonly url: string;
  /** What our page is to ask the end-user for before that; nothing where the provider's own page does. */
  readonly documents: readonly KycAsk[];
}

/** The status of a check at the provider. `version` goes up by one with every change. */
export interface ProviderCheck {
  readonly status: KycStatus;
  readonly reasonCodes: readonly string[];
  readonly version: number;
  /** Until when an approval holds, where the provider sets an end. */
  readonly expiresAt: Date | null;
}

/** A document of an end-user, in plain. */
interface ProviderDocument {
  readonly id: string;
  readonly type: KycDocumentType;
  readonly contentType: KycContentType;
  readonly content: Uint8Array;
}

/** Answers whether an end-user is who it claims to be. Throws KycProviderError and nothing else. */
export interface KycProvider {
  /** Opens a check, or finds the one under this reference. */
  openCheck(opening: KycOpening): Promise<OpenedCheck>;
  /** Hands a document on; the same id again is the same document. */
  putDocument(reference: string, document: ProviderDocument): Promise<void>;
  /** Null where the provider has never seen the reference. */
  getCheck(reference: string): Promise<ProviderCheck | null>;
}

export type KycProviderFailure =
  /** No answer in time, or no connection. */
  | 'KYC_PROVIDER_UNREACHABLE'
  /** An answer of 5xx: later may be better. */
  | 'KYC_PROVIDER_FAILED'
  /** An answer of 4xx (or a redirect): our request or our settings are wrong. */
  | 'KYC_PROVIDER_REFUSED'
  /** An answer too large, or not of the agreed shape. */
  | 'KYC_PROVIDER_GARBLED';

/** A closed code and nothing of what the provider wrote: that may name a person. */
export class KycProviderError extends Error {
  readonly code: KycProviderFailure;

  constructor(code: KycProviderFailure) {
    super(code);
    this.name = 'KycProviderError';
    this.code = code;
  }
}
