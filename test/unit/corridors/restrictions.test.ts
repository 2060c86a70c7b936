import { describe, expect, it } from 'vitest';
import { createCorridorTable } from '../../../src/domain/corridors/corridor-table.ts';
import { isCountry } from '../../../src/domain/corridors/countries.ts';
import {
  RESTRICTED_COUNTRIES,
  RESTRICTED_REGIONS,
} from '../../../src/domain/corridors/restricted-places.ts';
import {
  createRestrictions,
  DEFAULT_RESTRICTIONS,
  findRestrictions,
} from '../../../src/domain/corridors/restrictions.ts';

const shipped = createRestrictions(DEFAULT_RESTRICTIONS);

describe('the shipped restrictions', () => {
  it('are Cuba, Iran and North Korea, each with a dated source', () => {
    expect(RESTRICTED_COUNTRIES.map(({ country }) => country)).toEqual(['CU', 'IR', 'KP']);
    for (const { country, sources } of RESTRICTED_COUNTRIES) {
      expect(isCountry(country)).toBe(true);
      expect(sources.length).toBeGreaterThan(0);
    }
    for (const { sources = [] } of [...RESTRICTED_COUNTRIES, ...RESTRICTED_REGIONS]) {
      for (const { date } of sources) expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
    }
  });

  it.each(['CU', 'IR', 'KP'])('%s is restricted as a whole', (country) => {
    expect(shipped.isRestricted(country)).toBe(true);
    expect(shipped.restrictedPart({ country })).toBe('country');
  });

  it.each(['DE', 'UA', 'RU', 'KR', 'IQ'])('%s is not', (country) => {
    expect(shipped.isRestricted(country)).toBe(false);
    expect(shipped.restrictedPart({ country })).toBeNull();
  });
});

describe('a restricted region is known', () => {
  it.each([
    ['UA', 'UA-43'],
    ['UA', 'ua-43'],
    ['UA', 'UA43'],
    ['UA', ' 43 '],
    ['UA', 'Crimea'],
    ['UA', 'CRIMEA'],
    ['UA', 'Autonomous Republic of Crimea'],
    ['UA', 'Crimée'],
    ['UA', 'Krym'],
    ['UA', 'Автономна Республіка Крим'],
    ['RU', 'Республика Крым'],
    ['RU', 'Republic of Crimea'],
    ['UA', 'Cri\u200bmea'],
    ['UA', 'Sevastopol'],
    ['UA', "Sevastopol'"],
    ['RU', 'г. Севастополь'],
    ['UA', 'UA-14'],
    ['UA', 'Donetsk Oblast'],
    ['UA', 'Donetska oblast'],
    ['UA', 'Donets’k'],
    ['UA', 'Донецька область'],
    ['RU', 'Donetsk'],
    ['UA', 'UA-09'],
    ['UA', 'Luhansʼka Oblastʼ'],
    ['UA', 'Lugansk'],
    ['RU', 'ЛНР'],
  ])('%s: by its name %s', (country, region) => {
    expect(shipped.restrictedPart({ country, region })).toBe('region');
  });

  it.each([
    ['UA', '95000'],
    ['UA', '98 999'],
    ['UA', 'UA-99011'],
    ['UA', '83001'],
    ['UA', '87999'],
    ['UA', '91000'],
    ['RU', '295000'],
    ['RU', '299011'],
    ['RU', '283001'],
    ['RU', '291000'],
  ])('%s: by its postal code %s', (country, postalCode) => {
    expect(shipped.restrictedPart({ country, postalCode })).toBe('postalCode');
  });

  it.each([
    ['UA', 'Simferopol'],
    ['RU', 'Симферополь'],
    ['UA', 'Sevastopol'],
    ['UA', 'Donetsk'],
    ['UA', 'Луганськ'],
  ])('%s: by its town %s', (country, city) => {
    expect(shipped.restrictedPart({ country, city })).toBe('city');
  });

  it.each([
    { country: 'UA', region: 'Kyiv', postalCode: '01001', city: 'Kyiv' },
    { country: 'UA', region: 'Kharkiv Oblast', postalCode: '61000' },
    { country: 'UA', region: 'UA-32' },
    { country: 'UA', postalCode: '82100' },
    { country: 'UA', postalCode: '9500' },
    { country: 'RU', region: 'Rostov Oblast', city: 'Donetsk', postalCode: '346330' },
    { country: 'RU', region: 'Moscow', postalCode: '101000' },
  ])('and %j is somewhere else', (address) => {
    expect(shipped.restrictedPart(address)).toBeNull();
  });

  it.each([
    { country: 'DE', region: 'Krim', postalCode: '95000' },
    { country: 'FR', city: 'Simferopol', postalCode: '95000' },
    { country: 'US', region: 'Crimean County' },
    { country: 'UA', region: '', city: '', postalCode: '' },
    { country: 'UA', region: '---' },
  ])('and %j is in no country that has one', (address) => {
    expect(shipped.restrictedPart(address)).toBeNull();
  });
});

describe('findRestrictions', () => {
  it('names every field, and no value', () => {
    const problems = findRestrictions(shipped, {
      countries: [
        ['/country', 'CU'],
        ['/details/iban', 'DE'],
        ['/details/bic', undefined],
      ],
      addresses: [
        ['/holderAddress', { country: 'UA', region: 'Crimea', postalCode: '95000' }],
        ['/address', undefined],
      ],
    });
    expect(problems.map(({ path, code }) => [path, code])).toEqual([
      ['/country', 'country_restricted'],
      ['/holderAddress/region', 'country_restricted'],
    ]);
    expect(JSON.stringify(problems)).not.toMatch(/CU|Crimea|95000/);
  });
});

describe('a country that the operator restricts', () => {
  it('closes its corridors, and the shipped list no longer counts', () => {
    const table = createCorridorTable({ restrictions: { countries: ['RS'], regions: [] } });
    expect(table.isOpen('RS', 'EUR', 'SEPA')).toBe(false);
    expect(table.find('RS', 'EUR', 'SEPA')?.status).toBe('SUSPENDED');
    expect(table.isOpen('DE', 'EUR', 'SEPA')).toBe(true);
    expect(table.restrictions.isRestricted('CU')).toBe(false);
    expect(table.restrictions.restrictedPart({ country: 'UA', region: 'UA-43' })).toBeNull();
  });
});
