import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { CALENDARS } from '../../../src/domain/payments/corridors/calendars.ts';
import { CORRIDOR_TERMS } from '../../../src/domain/payments/corridors/corridor.ts';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import { countryCodes, isCountry } from '../../../src/domain/payments/corridors/countries.ts';
import { isRail, RAILS } from '../../../src/domain/payments/corridors/rail.ts';
import { RESTRICTED_COUNTRIES } from '../../../src/domain/payments/corridors/restricted-places.ts';
import { SOURCES } from '../../../src/domain/payments/corridors/sources.ts';
import { isTimeZone } from '../../../src/domain/payments/corridors/time-zone.ts';
import { formatAmount, parseAmount } from '../../../src/domain/money/amount.ts';
import { currencyCodes } from '../../../src/domain/money/currencies.ts';
import { createSnapshotSource } from '../../../src/adapters/fx/snapshot.ts';
import { countCorridors } from '../../support/payments/corridor-counts.ts';

const table = createCorridorTable();
const { all } = table;
const nameOf = ({ country, currency, rail }: (typeof all)[number]) =>
  `${country} ${currency} ${rail}`;

describe('the table of corridors', () => {
  it('reaches at least 150 countries in at least 46 currencies', () => {
    const counts = countCorridors(all);
    console.log('corridors', counts);
    expect(counts.countries).toBeGreaterThanOrEqual(150);
    expect(counts.currencies).toBeGreaterThanOrEqual(46);
  });

  it('is described by the figures in docs/reference/corridors.md', () => {
    const page = readFileSync('docs/reference/corridors.md', 'utf8');
    for (const [name, count] of Object.entries(countCorridors(all))) {
      expect(page, name).toMatch(new RegExp(`\\| \`${name}\` +\\| ${String(count)} +\\|`));
    }
  });

  it('leads over each rail to the countries that docs/reference/corridors.md names', () => {
    const page = readFileSync('docs/reference/corridors.md', 'utf8');
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` +\| ([^|`]+?) +\| /gm)];
    expect(rows.map(([, rail]) => rail).toSorted()).toEqual([...RAILS].toSorted());
    for (const [, rail = '', said = ''] of rows) {
      const countries = [
        ...new Set(all.filter((way) => way.rail === rail).map((way) => way.country)),
      ];
      const listed = /^[A-Z]{2}(?:, [A-Z]{2})*$/.test(said)
        ? countries.join(', ')
        : countries.length;
      expect(typeof listed === 'string' ? said : Number.parseInt(said, 10), rail).toEqual(listed);
    }
  });

  it('names each corridor once', () => {
    expect(new Set(all.map(nameOf)).size).toBe(all.length);
  });

  it('goes to real countries over known rails, in currencies that have rates and test money', async () => {
    const rates = new Set((await createSnapshotSource().fetch()).map(({ quote }) => quote));
    const funded = new Set(currencyCodes());
    for (const way of all) {
      expect(isCountry(way.country), nameOf(way)).toBe(true);
      expect(isRail(way.rail), nameOf(way)).toBe(true);
      expect(way.currency === 'USD' || rates.has(way.currency), nameOf(way)).toBe(true);
      expect(funded.has(way.currency), nameOf(way)).toBe(true);
    }
  });

  it('has limits that are written as amounts of their currency', () => {
    for (const { country, currency, min, max } of all) {
      const [least, most] = [min, max].map((text) => {
        if (text === null) return null;
        const parsed = parseAmount(text, currency);
        if (!parsed.ok) throw new Error(`limits of ${country}`);
        expect(formatAmount(parsed.minor, currency)).toBe(text);
        return parsed.minor;
      });
      if (least && most) expect(least <= most).toBe(true);
    }
  });

  it('reaches every country by SWIFT in dollars and euros, behind what is local', () => {
    for (const country of new Set(all.map((way) => way.country))) {
      for (const currency of ['USD', 'EUR']) {
        expect(table.find(country, currency, 'SWIFT')?.status, country).toBe('ACTIVE');
        expect(table.to(country, currency).at(-1)?.rail, country).toBe('SWIFT');
      }
    }
  });

  it.each([
    ['DE', 'EUR', 'SEPA'],
    ['GB', 'EUR', 'SEPA'],
    ['GB', 'GBP', 'FPS'],
    ['US', 'USD', 'ACH'],
    ['BR', 'BRL', 'PIX'],
    ['CM', 'XAF', 'MOBILE_MONEY'],
    ['GQ', 'XAF', 'SWIFT'],
    ['US', 'EUR', 'SWIFT'],
  ])('to %s in %s runs over %s by default', (country, currency, rail) => {
    expect(table.to(country, currency)[0]?.rail).toBe(rail);
    expect(table.isOpen(country, currency, rail)).toBe(true);
  });

  it('has SEPA before SEPA Instant wherever both are', () => {
    const rails = table.to('DE', 'EUR').map(({ rail }) => rail);
    expect(rails).toEqual(['SEPA', 'SEPA_INSTANT', 'SWIFT']);
  });

  it('has none where there is no rail', () => {
    expect(table.to('DE', 'BRL')).toEqual([]);
    expect(table.find('DE', 'EUR', 'ACH')).toBeUndefined();
    expect(table.isOpen('DE', 'EUR', 'constructor')).toBe(false);
    expect(table.returnsMayBeDeducted('NO_RAIL', 'EUR')).toBe(true);
    expect(table.returnsMayBeDeducted('SEPA', 'EUR')).toBe(false);
  });

  it('has no corridor to a country that is restricted', () => {
    for (const { country } of RESTRICTED_COUNTRIES) {
      expect(all.filter((way) => way.country === country)).toEqual([]);
    }
  });
});

describe('what a value of the table rests on', () => {
  it('is a document with a date, our choice, or nothing where the value is null', () => {
    for (const way of all) {
      for (const term of CORRIDOR_TERMS) {
        const basis = way.sources[term];
        if (way[term] !== null) expect(basis, `${nameOf(way)} ${term}`).not.toBeNull();
        if (basis?.kind === 'DEFAULT') expect(way[term]).not.toBeNull();
        if (basis?.kind !== 'SOURCE') continue;
        expect(basis.title).not.toBe('');
        expect(basis.date).toMatch(/^(19|20)\d\d(-(0\d|1[0-2])(-[0-3]\d)?)?$/);
      }
    }
  });

  it('makes every document of the list count for something', () => {
    const titles = new Set(
      all.flatMap(({ sources }) =>
        Object.values(sources).flatMap((basis) => (basis?.kind === 'SOURCE' ? [basis.title] : [])),
      ),
    );
    for (const { title } of Object.values(SOURCES)) expect(titles, title).toContain(title);
  });

  it('is never younger than the table', () => {
    for (const { date, title } of Object.values(SOURCES)) {
      expect(date <= '2026-11-22', title).toBe(true);
    }
  });
});

describe('cut-offs and holidays', () => {
  it('are times of IANA time zones', () => {
    const cutOffs = all.flatMap(({ cutOff }) => cutOff ?? []);
    expect(cutOffs).not.toEqual([]);
    for (const { time, timeZone } of cutOffs) {
      expect(time).toMatch(/^([01]\d|2[0-3]):[0-5]\d$/);
      expect(isTimeZone(timeZone)).toBe(true);
    }
    expect(['CEST', '+01:00', 'Europe/Atlantis', 'etc'].some(isTimeZone)).toBe(false);
  });

  it('are real days of 2026 and 2027, in order, both years of each calendar', () => {
    for (const { dates } of Object.values(CALENDARS)) {
      expect(dates).toEqual([...new Set(dates)].sort());
      expect(new Set(dates.map((date) => date.slice(0, 4)))).toEqual(new Set(['2026', '2027']));
      for (const date of dates) {
        expect(new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10)).toBe(date);
      }
    }
  });

  it('have Easter where the calendar has it', () => {
    for (const year of [2026, 2027]) {
      const easter = easterOf(year);
      const day = (offset: number) =>
        new Date(easter.getTime() + offset * 86_400_000).toISOString().slice(0, 10);
      expect(CALENDARS.TARGET.dates).toContain(day(-2));
      expect(CALENDARS.TARGET.dates).toContain(day(1));
    }
  });

  it('have the Federal Reserve closed on Mondays for Sundays, and never on a weekend', () => {
    const weekdays = CALENDARS.FEDERAL_RESERVE.dates.map((date) => new Date(date).getUTCDay());
    expect(weekdays.some((day) => day === 0 || day === 6)).toBe(false);
    expect(CALENDARS.FEDERAL_RESERVE.dates).toContain('2027-07-05');
    expect(CALENDARS.FEDERAL_RESERVE.dates).not.toContain('2026-07-03');
  });
});

/** Butcher's rule: Easter Sunday of the Gregorian calendar, midnight UTC. */
function easterOf(year: number): Date {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d =
    (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return new Date(Date.UTC(year, Math.floor(f / 31) - 1, (f % 31) + 1));
}

describe('countries', () => {
  it('are ISO 3166-1 alpha-2 codes in upper case only', () => {
    expect(['DE', 'US', 'GB', 'XK'].every(isCountry)).toBe(true);
    expect(['de', 'DEU', '276', 'UK', 'EU', 'XX', '', 'D', 'DE\n'].some(isCountry)).toBe(false);
    expect(countryCodes().length).toBeGreaterThanOrEqual(249);
    expect(countryCodes().every(isCountry)).toBe(true);
  });
});
