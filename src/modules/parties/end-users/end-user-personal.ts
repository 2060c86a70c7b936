import type { EndUserRow } from '../../../db/parties/end-user-store.ts';
import type { KeyOwner } from '../../../vault/owner-key.ts';

/** A tax number and the country that gave it out. */
export interface TaxId {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly number: string;
}

/** A natural person: an individual end-user, or a representative of a business. */
export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  /** YYYY-MM-DD. */
  readonly dateOfBirth?: string;
  /** ISO 3166-1 alpha-2. */
  readonly nationality?: string;
  readonly taxIds?: TaxId[];
}

/** What a person may be to a business. */
export const PERSON_ROLES = ['DIRECTOR', 'BENEFICIAL_OWNER', 'REPRESENTATIVE'] as const;

export interface BusinessPerson extends Person {
  readonly role?: (typeof PERSON_ROLES)[number];
}

export interface Business {
  readonly legalName: string;
  readonly registrationNumber?: string;
  /** ISO 3166-1 alpha-2. */
  readonly incorporationCountry?: string;
  /** At least one: who represents the business. */
  readonly persons: BusinessPerson[];
}

export interface Address {
  readonly line1: string;
  readonly line2?: string;
  readonly city: string;
  readonly region?: string;
  readonly postalCode?: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** All that is personal about an end-user: one JSON, sealed. The type says which of two is there. */
export interface EndUserPersonal {
  readonly individual?: Person;
  readonly business?: Business;
  readonly email?: string;
  /** E.164. */
  readonly phone?: string;
  readonly address?: Address;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Whose key an end-user's own row is sealed under. */
export const endUserOwner = (
  row: Pick<EndUserRow, 'id' | 'ownerKey'>,
): KeyOwner & { readonly resourceId: string } => ({
  endUserId: row.id,
  ownerKey: row.ownerKey,
  resourceId: row.id,
});

/** The row that an end-user's personal data is sealed for. */
export const endUserRow = (id: string): string => `end_users/${id}`;
