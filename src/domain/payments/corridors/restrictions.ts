import type { Problem } from '../../errors/refusal.ts';
import { findPart } from './region-part.ts';
import type { PlacedAddress } from './region-part.ts';
import { RESTRICTED_COUNTRIES, RESTRICTED_REGIONS } from './restricted-places.ts';
import type { RestrictedRegion } from './restricted-places.ts';

/** Countries and parts of countries that money may not go to. */
export interface Restrictions {
  /** Is all of this country (ISO 3166-1 alpha-2) restricted? */
  isRestricted(country: string): boolean;
  /** The part of an address that puts it into a restricted place; null where none does. */
  restrictedPart(address: PlacedAddress): keyof PlacedAddress | null;
}

export interface RestrictionSettings {
  /** ISO 3166-1 alpha-2. */
  readonly countries: readonly string[];
  readonly regions: readonly RestrictedRegion[];
}

/** What holds unless an operator's file says otherwise. */
export const DEFAULT_RESTRICTIONS: RestrictionSettings = {
  countries: RESTRICTED_COUNTRIES.map(({ country }) => country),
  regions: RESTRICTED_REGIONS,
};

export function createRestrictions({ countries, regions }: RestrictionSettings): Restrictions {
  const restricted = new Set(countries);
  const finders = regions.map(findPart);
  return {
    isRestricted: (country) => restricted.has(country),
    restrictedPart(address) {
      if (restricted.has(address.country)) return 'country';
      for (const find of finders) {
        const part = find(address);
        if (part !== null) return part;
      }
      return null;
    },
  };
}

/** What a request says of places: JSON pointers with what is at them. Undefined is nowhere. */
export interface SaidPlaces {
  readonly countries?: readonly (readonly [path: string, country: string | undefined])[];
  readonly addresses?: readonly (readonly [path: string, address: PlacedAddress | undefined])[];
}

/** The problems (country_restricted) of everything that a request says of places, field by field. */
export function findRestrictions(
  restrictions: Restrictions,
  { countries = [], addresses = [] }: SaidPlaces,
): Problem[] {
  const problems: Problem[] = [];
  for (const [path, country] of countries) {
    if (country !== undefined && restrictions.isRestricted(country))
      problems.push(restrictedAt(path));
  }
  for (const [path, address] of addresses) {
    const part = address === undefined ? null : restrictions.restrictedPart(address);
    if (part !== null) problems.push(restrictedAt(`${path}/${part}`));
  }
  return problems;
}

const restrictedAt = (path: string): Problem => ({
  path,
  code: 'country_restricted',
  message: 'Payments to this country or region are restricted.',
});
