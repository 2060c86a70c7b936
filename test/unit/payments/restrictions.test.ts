import { describe, expect, it } from 'vitest';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import { isCountry } from '../../../src/domain/payments/corridors/countries.ts';
import {
  RESTRICTED_COUNTRIES,
  RESTRICTED_REGIONS,
} from '../../../src/domain/payments/corridors/restricted-places.ts';
import {
  createRestrictions,
  DEFAULT_RESTRICTIONS,
  findRestrictions,
} from '../../../src/domain/payments/corridors/restrictions.ts';

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
    ['UA', 'region', 'Simferopol'],
    ['UA', 'region', 'Yalta, Crimea'],
    ['UA', 'region', 'Донецький район'],
    ['UA', 'region', 'Krymskyi'],
    ['UA', 'region', 'Qırım Muhtar Cumhuriyeti'],
    ['UA', 'region', 'місто Севастополя'],
    ['UA', 'city', 'Crimea'],
    ['UA', 'city', 'Yalta, Crimea'],
    ['RU', 'city', 'Ялта'],
    ['UA', 'city', 'Kırım'],
    ['UA', 'city', '\u0421rim\u0435\u0430'],
    ['UA', 'city', 'Ｃｒｉｍｅａ'],
    ['UA', 'city', 'CR1MEA'],
    ['UA', 'city', 'C r i m e a'],
    ['UA', 'city', 'Cri\u00admea'],
    ['UA', 'city', 'Simferópol'],
    ['UA', 'city', 'К\u0070ым'],
    ...`Alushta Sudak Dzhankoi Bakhchysarai Saky Armyansk Feodosiia Feodosia Yevpatoriia Evpatoria
      Kerch Mariupol Makiivka Horlivka Yenakiieve Kramatorsk Bakhmut Sloviansk Alchevsk
      Sievierodonetsk Lysychansk Маріуполь Бахмут Лисичанськ Джанкой`
      .split(/\s+/)
      .map((town) => ['UA', 'city', town]),
    ['RU', 'city', 'Donetsk'],
    ['RU', 'city', 'Donetsk, DNR'],
    ['UA', 'line1', 'Kirova 1, Simferopol, Crimea'],
    ['UA', 'line1', 'Kirova 1, Yalta'],
    ['UA', 'line1', 'Kirova 1; 95000 Simferopol; Ukraine'],
    ['UA', 'line1', 'Kirova 1 Simferopol Republic of Crimea'],
    ['UA', 'line1', 'Kirova 1 Simferopol'],
    ['UA', 'line1', 'Kirova 1 - Simferopol - Crimea'],
    ['UA', 'line1', 'вул. Кірова, 1, м. Сімферополь'],
    ['UA', 'line1', 'вул. Кірова, 1, Донецька область'],
    ['UA', 'line1', 'Kirova 1, Donetska obl.'],
    ['RU', 'line1', 'ул. Кирова, 1, г. Ялта, Респ. Крым'],
    ['RU', 'line2', 'Luganskaya oblast'],
    ['UA', 'line2', 'Crimea'],
    ['UA', 'line2', 'Yalta Crimea'],
  ])('%s: by the %s %s', (country, part, text) => {
    expect(shipped.restrictedPart({ country: country ?? '', [part ?? '']: text })).toBe(part);
  });

  it.each([
    ['UA', '98600-1'],
    ['UA', '98600 1'],
    ['UA', '９８６００'],
    ['UA', '٩٨٦٠٠'],
    ['UA', '۹۸۶۰۰'],
    ['UA', '298600'],
    ['UA', '283001'],
    ['RU', '98600'],
    ['RU', '99011'],
    ['RU', '83001'],
  ])('%s: by its postal code in the form %s', (country, postalCode) => {
    expect(shipped.restrictedPart({ country, postalCode })).toBe('postalCode');
  });

  it.each([
    { country: 'UA', city: 'Kyiv', line1: 'Donetska street 5', postalCode: '03151' },
    { country: 'UA', city: 'Kyiv', line1: 'Kyiv, Donetska street 5' },
    { country: 'UA', city: 'Kyiv', line1: 'Donetska 5, Kyiv' },
    { country: 'UA', city: 'Kyiv', line1: 'Donetska, 5' },
    { country: 'UA', city: 'Kyiv', line1: 'Donetska St' },
    { country: 'UA', city: 'Lviv', line1: 'Krymska 3', postalCode: '79000' },
    { country: 'UA', city: 'Kyiv', line1: 'вул. Донецька, 5' },
    { country: 'UA', city: 'Київ', line1: 'вул. Героїв Севастополя, 5' },
    { country: 'UA', city: 'Odesa', line1: 'Luhanskyi signer account 2', line2: 'apt. 95' },
    { country: 'UA', city: 'Kyiv', line1: '1 Sevastopolska Square' },
    { country: 'UA', city: 'Odesa', region: 'Odeska oblast', postalCode: '65000' },
    { country: 'RU', city: 'Rostov-on-Don', line1: 'Krymskaya 1', postalCode: '344000' },
    { country: 'RU', city: 'Donetsk', region: 'Rostovskaya oblast', line1: 'Lenina 1' },
    { country: 'RU', city: 'г. Донецк, Ростовская обл.' },
    { country: 'RU', city: 'Donetsk', postalCode: '346330' },
    { country: 'RU', region: 'Rostov Oblast, Donetsk' },
    { country: 'RU', city: 'Moscow', line1: 'Krymsky Val 9', postalCode: '119049' },
    { country: 'RU', city: 'Москва', line1: 'ул. Крымский Вал, 9' },
    { country: 'RU', city: 'Krymsk', region: 'Krasnodar Krai, Krymskiy rayon' },
    { country: 'RU', city: 'Slavyansk-na-Kubani', postalCode: '353560' },
    { country: 'GB', city: 'London', line1: '5 Crimea Road, Crimea', region: 'Crimea' },
    { country: 'US', city: 'Sevastopol', region: 'WI', postalCode: '95000' },
  ])('and %j is taken', (address) => {
    expect(shipped.restrictedPart(address)).toBeNull();
  });

  it('and an address that names Rostov is refused for the region itself', () => {
    const rostov = { country: 'RU', city: 'Rostov' };
    expect(shipped.restrictedPart({ ...rostov, region: 'Donetsk' })).toBe('region');
    expect(shipped.restrictedPart({ ...rostov, region: 'DNR' })).toBe('region');
    expect(shipped.restrictedPart({ country: 'RU', line1: 'Rostov', city: 'Donetsk' })).toBe(
      'city',
    );
    expect(shipped.restrictedPart({ ...rostov, city: 'Yalta, Rostov' })).toBe('city');
  });

  it('in a moment, whatever is sent', () => {
    const started = performance.now();
    for (const text of [
      'g '.repeat(100),
      'Crimea '.repeat(28),
      '1 of '.repeat(40),
      'ﷺ'.repeat(200),
    ]) {
      const address = { country: 'UA', region: text, city: text, line1: `${text}x`, line2: text };
      shipped.restrictedPart(address);
    }
    // What backtracks takes hours.
    expect(performance.now() - started).toBeLessThan(30_000);
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
