import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { isCountry } from '../../domain/payments/corridors/countries.ts';
import {
  RESTRICTED_REGIONS,
  type RestrictedRegion,
} from '../../domain/payments/corridors/restricted-places.ts';
import type { RestrictionSettings } from '../../domain/payments/corridors/restrictions.ts';
import { shapeProblems } from './shape-problems.ts';

const REGION_CODE = /^([A-Z]{2})-[A-Z0-9]{1,3}$/;

const Names = Type.Array(Type.String({ minLength: 2, maxLength: 100 }), { maxItems: 1_000 });

const Region = Type.Object(
  {
    code: Type.String(),
    names: Names,
    cities: Type.Optional(Names),
    postalCodePrefixes: Type.Optional(
      Type.Array(Type.String({ pattern: '^[0-9]{1,10}$' }), { maxItems: 1_000 }),
    ),
  },
  { additionalProperties: false },
);

const RestrictionsFile = Type.Object(
  {
    countries: Type.Array(Type.String(), { maxItems: 300 }),
    regions: Type.Optional(Type.Array(Type.Union([Type.String(), Region]), { maxItems: 1_000 })),
  },
  { additionalProperties: false },
);

type SaidRegion = string | Static<typeof Region>;

/** Reads the JSON of RESTRICTED_COUNTRIES_FILE, or answers a line for everything that is wrong. */
export function readRestrictionsFile(
  json: unknown,
):
  | { readonly ok: true; readonly restrictions: RestrictionSettings }
  | { readonly ok: false; readonly lines: readonly string[] } {
  if (!Value.Check(RestrictionsFile, json)) {
    return { ok: false, lines: shapeProblems(RestrictionsFile, json) };
  }
  const { countries, regions = [] } = json;
  const lines = [
    ...countries.flatMap((country, index) =>
      isCountry(country)
        ? []
        : [`row ${String(index + 1)} of countries must be an ISO 3166-1 code`],
    ),
    ...regions.flatMap((region, index) => {
      const problem = problemOf(region);
      return problem === null ? [] : [`row ${String(index + 1)} of regions: ${problem}`];
    }),
  ];
  if (lines.length > 0) return { ok: false, lines };
  return { ok: true, restrictions: { countries, regions: regions.map(readRegion) } };
}

const shipped = (code: string): RestrictedRegion | undefined =>
  RESTRICTED_REGIONS.find((region) => region.code === code);

function problemOf(region: SaidRegion): string | null {
  if (typeof region === 'string') {
    const must = 'a region that is not shipped must say its names';
    return shipped(region) === undefined ? must : null;
  }
  const country = REGION_CODE.exec(region.code)?.[1];
  return country !== undefined && isCountry(country) ? null : 'code must be an ISO 3166-2 code';
}

function readRegion(region: SaidRegion): RestrictedRegion {
  const known = typeof region === 'string' ? shipped(region) : undefined;
  if (known !== undefined) return known;
  if (typeof region === 'string') throw new Error(`the region ${region} was not checked`);
  const { code, names, cities = [], postalCodePrefixes = [] } = region;
  const within = {
    country: code.slice(0, 2),
    regions: names,
    cities,
    ...(postalCodePrefixes.length === 0
      ? {}
      : { postalCodes: new RegExp(`^(?:${postalCodePrefixes.join('|')})`) }),
  };
  return { code, within: [within] };
}
