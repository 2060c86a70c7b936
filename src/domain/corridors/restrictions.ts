import type { Problem } from '../errors/refusal.ts';
import { placeName } from './place-name.ts';
import { RESTRICTED_COUNTRIES, RESTRICTED_REGIONS } from './restricted-places.ts';
import type { RestrictedRegion } from './restricted-places.ts';

/** The parts of an address that say where it is. */
export interface PlacedAddress {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly region?: string;
  readonly city?: string;
  readonly postalCode?: string;
}

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
  return {
    isRestricted: (country) => restricted.has(country),
    restrictedPart(address) {
      if (restricted.has(address.country)) return 'country';
      for (const region of regions) {
        const part = partWithin(region, address);
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
  message: 'This country, or this part of it, is restricted.',
});

function partWithin(
  { code, within }: RestrictedRegion,
  address: PlacedAddress,
): keyof PlacedAddress | null {
  const place = within.find(({ country }) => country === address.country);
  if (place === undefined) return null;
  const region = placeName(address.region ?? '');
  const codes = isoSpellings(code);
  if (codes.includes(region) || namesOne(region, place.regions)) return 'region';
  const digits = (address.postalCode ?? '').replaceAll(/[^0-9]/g, '');
  if (place.postalCodes?.test(digits) === true) return 'postalCode';
  return namesOne(placeName(address.city ?? ''), place.cities) ? 'city' : null;
}

/** UA-43, as it is compared: with and without its country. */
function isoSpellings(code: string): string[] {
  const [country = '', part = ''] = placeName(code).split(' ');
  return [`${country} ${part}`, country + part, part];
}

/** Whether one of the names is among the words of a text: "Republic of Crimea" names Crimea. */
function namesOne(text: string, names: readonly string[]): boolean {
  return names.some((name) => ` ${text} `.includes(` ${placeName(name)} `));
}
