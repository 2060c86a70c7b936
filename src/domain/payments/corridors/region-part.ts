import { placeNames, placeParts, postalDigits } from './place-name.ts';
import type { RegionWithin } from './region-within.ts';
import type { RestrictedRegion } from './restricted-places.ts';
import { standsAlone } from './stands-alone.ts';

/** The parts of an address that say where it is. */
export interface PlacedAddress {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly region?: string;
  readonly city?: string;
  readonly postalCode?: string;
  readonly line1?: string;
  readonly line2?: string;
}

type Finder = (address: PlacedAddress) => keyof PlacedAddress | null;

/**
 * Finds the part of an address that puts it into the region. A place's names are read once, when an address is in
 * its country.
 */
export function findPart({ code, within }: RestrictedRegion): Finder {
  const places = new Map(within.map((place) => [place.country, place]));
  const finders = new Map<string, Finder>();
  return (address) => {
    const place = places.get(address.country);
    if (place === undefined) return null;
    const finder = finders.get(place.country) ?? findWithin(code, place);
    finders.set(place.country, finder);
    return finder(address);
  };
}

function findWithin(code: string, place: RegionWithin): Finder {
  const { regions, cities, postalCodes, namesake } = place;
  const adjectives = (place.adjectives ?? []).flatMap(placeNames);
  const nouns = [...regions, ...cities].flatMap(placeNames);
  const isoCode = code.slice(3).toLowerCase();
  const whole = [...isoSpellings(code), ...nouns, ...adjectives];
  const shared = new Set(namesake?.names.flatMap(placeNames));
  const elsewhere = namesake?.regions.flatMap(placeNames) ?? [];

  return (address) => {
    const { region = '', city = '', postalCode = '', line1 = '', line2 = '' } = address;
    const digits = postalDigits(postalCode);
    // The code alone: among other words it may be the number of a house.
    if (placeNames(region).includes(isoCode)) return 'region';
    const isFar = (text: string) => namesOne(text, elsewhere);
    const isNamesake =
      isFar(region) || isFar(city) || digits.some((one) => namesake?.postalCodes.test(one));
    const left = (names: readonly string[]) =>
      isNamesake ? names.filter((name) => !shared.has(name)) : names;
    if (namesOne(region, isFar(region) ? left(whole) : whole)) return 'region';
    if (digits.some((one) => postalCodes?.test(one))) return 'postalCode';
    if (namesOne(city, left(whole))) return 'city';
    const saysPlace = (line: string) =>
      placeParts(line).some((part) => standsAlone(part, left(nouns), adjectives));
    if (saysPlace(line1)) return 'line1';
    return saysPlace(line2) ? 'line2' : null;
  };
}

/** UA-43, as it is compared among words: with and without its hyphen. */
function isoSpellings(code: string): string[] {
  return [code, code.replace('-', '')].flatMap(placeNames);
}

/** Whether one of the names is among the words of a text: "Republic of Crimea" names Crimea. */
function namesOne(text: string, names: readonly string[]): boolean {
  return placeNames(text).some((words) => names.some((name) => ` ${words} `.includes(` ${name} `)));
}
