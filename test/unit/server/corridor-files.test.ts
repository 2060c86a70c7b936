import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/server/config/config.ts';
import { SAMPLE_KEYS } from '../../support/sample-secrets.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'corridor-files-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const MINIMAL = { DATABASE_URL: 'postgres://localhost/causeway', ...SAMPLE_KEYS };

function write(content: unknown): string {
  const path = join(folder, 'file.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const withCorridors = (...corridors: object[]) => ({ CORRIDORS_FILE: write({ corridors }) });
const tableOf = (env: Record<string, string>) => readConfig({ ...MINIMAL, ...env }).corridors;

function refusalOf(env: Record<string, string>): string {
  try {
    tableOf(env);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

const SEPA_DE = { country: 'DE', currency: 'EUR', rail: 'SEPA' };

describe('CORRIDORS_FILE', () => {
  it('is not needed', () => {
    expect(tableOf({}).isOpen('DE', 'EUR', 'SEPA')).toBe(true);
  });

  it('changes, adds and suspends corridors', () => {
    const table = tableOf(
      withCorridors(
        { ...SEPA_DE, status: 'SUSPENDED' },
        {
          ...{ country: 'MM', currency: 'USD', rail: 'SWIFT', min: '10', max: null },
          cutOff: { time: '14:30', timeZone: 'Asia/Yangon' },
          holidays: { closedWeekdays: ['SAT', 'SUN'], dates: ['2027-01-04'] },
          ...{ returnWindowDays: 10, returnsMayBeDeducted: true },
        },
      ),
    );
    expect(table.isOpen('DE', 'EUR', 'SEPA')).toBe(false);
    expect(table.find('MM', 'USD', 'SWIFT')).toMatchObject({
      ...{ min: '10.00', max: null, returnWindowDays: 10, status: 'ACTIVE' },
      cutOff: { time: '14:30', timeZone: 'Asia/Yangon' },
      sources: { max: { kind: 'OPERATOR' } },
    });
  });

  it.each([
    ['a country that is none', { ...SEPA_DE, country: 'XX' }, 'row 1 of corridors: country'],
    ['a rail that is none', { ...SEPA_DE, rail: 'TELEX' }, 'row 1 of corridors: rail'],
    ['an amount that is a number', { ...SEPA_DE, max: 5 }, 'row 1 of corridors: max'],
    ['an amount that is none', { ...SEPA_DE, max: '1,5' }, 'row 1 of corridors: max'],
    ['a field that is none', { ...SEPA_DE, maximum: '5' }, 'row 1 of corridors'],
    ['a status that is none', { ...SEPA_DE, status: 'CLOSED' }, 'row 1 of corridors: status'],
    ['no rail', { country: 'DE', currency: 'EUR' }, 'row 1 of corridors'],
    [
      'a time zone that is none',
      { ...SEPA_DE, cutOff: { time: '10:00', timeZone: 'Europe/Atlantis' } },
      'row 1 of corridors: cutOff.timeZone',
    ],
    [
      'a window of -1',
      { ...SEPA_DE, returnWindowDays: -1 },
      'row 1 of corridors: returnWindowDays',
    ],
    ['a row that is none', 'DE', 'row 1 of corridors'],
  ])('with %s refuses the start, by row and field', (_what, row, place) => {
    const message = refusalOf(withCorridors(row as object));
    expect(message).toContain(`CORRIDORS_FILE: ${place}`);
  });

  it.each([
    ['that is missing', () => join(folder, 'missing.json')],
    ['that is no JSON', () => write('{"corridors": [')],
    ['that holds a text', () => write('"corridors"')],
  ])('%s refuses the start', (_what, path) => {
    expect(refusalOf({ CORRIDORS_FILE: path() })).toContain('CORRIDORS_FILE must be the path');
  });

  it.each([
    ['a list without its name', []],
    ['another name', { corridor: [] }],
    ['more than corridors', { corridors: [], countries: [] }],
  ])('with %s refuses the start', (_what, content) => {
    expect(refusalOf({ CORRIDORS_FILE: write(content) })).toContain('CORRIDORS_FILE: ');
  });

  it('says as much of a file that is wrong all over as can be read', () => {
    const rows = Array.from({ length: 500 }, () => ({ ...SEPA_DE, max: 5 }));
    expect(refusalOf(withCorridors(...rows)).split('\n').length).toBeLessThan(30);
  });
});

describe('RESTRICTED_COUNTRIES_FILE', () => {
  const restricted = (content: object) =>
    tableOf({ RESTRICTED_COUNTRIES_FILE: write(content) }).restrictions;

  it('takes the place of the shipped list', () => {
    const { isRestricted, restrictedPart } = restricted({ countries: ['BY'] });
    expect([isRestricted('BY'), isRestricted('CU')]).toEqual([true, false]);
    expect(restrictedPart({ country: 'UA', region: 'UA-43' })).toBeNull();
  });

  it("takes shipped regions by their code, and the operator's own by name and postal code", () => {
    const { restrictedPart } = restricted({
      countries: [],
      regions: [
        'UA-43',
        { code: 'GE-AB', names: ['Abkhazia'], cities: ['Sokhumi'], postalCodePrefixes: ['66'] },
      ],
    });
    expect(restrictedPart({ country: 'UA', region: 'Crimea' })).toBe('region');
    expect(restrictedPart({ country: 'UA', region: 'Donetsk' })).toBeNull();
    expect(restrictedPart({ country: 'GE', region: 'Abkhazia A.R.' })).toBe('region');
    expect(restrictedPart({ country: 'GE', region: 'GE-AB' })).toBe('region');
    expect(restrictedPart({ country: 'GE', city: 'Sokhumi' })).toBe('city');
    expect(restrictedPart({ country: 'GE', postalCode: '6600' })).toBe('postalCode');
    expect(restrictedPart({ country: 'GE', postalCode: '0166' })).toBeNull();
  });

  it.each<[string, object, string]>([
    ['a country that is none', { countries: ['CU', 'cu'] }, 'row 2 of countries'],
    ['a region that is not shipped', { countries: [], regions: ['GE-AB'] }, 'row 1 of regions'],
    [
      'a region of no country',
      { countries: [], regions: [{ code: 'XX-1', names: ['Nowhere'] }] },
      'row 1 of regions',
    ],
    ['no countries', { regions: [] }, ''],
    [
      'a postal code that is a pattern',
      {
        countries: [],
        regions: [{ code: 'GE-AB', names: ['Abkhazia'], postalCodePrefixes: ['.*'] }],
      },
      'row 1 of regions',
    ],
  ])('with %s refuses the start', (_what, content, place) => {
    const message = refusalOf({ RESTRICTED_COUNTRIES_FILE: write(content) });
    expect(message).toContain(`RESTRICTED_COUNTRIES_FILE: ${place}`);
  });
});
