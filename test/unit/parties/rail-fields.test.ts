import { describe, expect, it } from 'vitest';

import { checkDetails } from '../../../src/domain/parties/bank-accounts/rail-details.ts';
import { RAIL_FIELDS } from '../../../src/domain/parties/bank-accounts/rail-fields.ts';
import { isWritten } from '../../../src/domain/parties/bank-accounts/written-form.ts';
import { countryCodes } from '../../../src/domain/payments/corridors/countries.ts';
import { hasIbans } from '../../../src/domain/parties/bank-accounts/iban-country.ts';
import { RAILS } from '../../../src/domain/payments/corridors/rail.ts';
import { isInCommonSubset } from '../../support/common-pattern.ts';

const HOLDERS = ['INDIVIDUAL', 'BUSINESS'] as const;

// Rails whose fields depend on the country, in every one; the others in any one that has IBANs.
const BY_COUNTRY: readonly string[] = ['SWIFT', 'MOBILE_MONEY', 'SEPA'];

const places = RAILS.flatMap((rail) =>
  (BY_COUNTRY.includes(rail) ? countryCodes() : ['FR'])
    .filter((country) => rail !== 'SEPA' || hasIbans(country))
    .flatMap((country) => HOLDERS.map((holderType) => ({ rail, country, holderType }))),
);

describe('the fields of every rail in every country', () => {
  it('have an example each that its own form takes as it is', () => {
    for (const { rail, ...place } of places) {
      const { fields } = RAIL_FIELDS[rail](place);
      for (const [name, field] of Object.entries(fields)) {
        const what = `${rail} ${place.country} ${name}`;
        expect(isWritten(field, field.example), what).toBe(true);
        expect(field.normalise(field.example), what).toBe(field.example);
        expect(field.isValid?.(field.example) ?? true, what).toBe(true);
        expect(field.example.length, what).toBeGreaterThanOrEqual(field.minLength);
      }
    }
  });

  it('have examples that make up an account together', () => {
    for (const { rail, ...place } of places) {
      const { fields, oneOf = [] } = RAIL_FIELDS[rail](place);
      const given = Object.entries(fields).filter(([name]) => !oneOf.slice(1).includes(name));
      const details = Object.fromEntries(given.map(([name, field]) => [name, field.example]));
      const checked = checkDetails(rail, place, details);
      expect(checked, `${rail} ${place.country}`).toMatchObject({ ok: true, normalised: details });
    }
  });

  it('have patterns that JSON Schema and HTML forms can read', () => {
    for (const { rail, ...place } of places) {
      for (const field of Object.values(RAIL_FIELDS[rail](place).fields)) {
        for (const flag of ['u', 'v']) expect(() => new RegExp(field.pattern, flag)).not.toThrow();
      }
    }
  });

  it('have patterns that the languages of partners compile as ECMA-262 does', () => {
    const patterns = places.flatMap(({ rail, ...place }) =>
      Object.values(RAIL_FIELDS[rail](place).fields).map(({ pattern }) => pattern),
    );
    expect([...new Set(patterns)].filter((pattern) => !isInCommonSubset(pattern))).toEqual([]);
  });
});
