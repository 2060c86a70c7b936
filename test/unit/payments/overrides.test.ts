import { describe, expect, it } from 'vitest';
import {
  checkOverrides,
  type OverrideRow,
} from '../../../src/domain/payments/corridors/check-overrides.ts';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';

const SEPA_DE = { country: 'DE', currency: 'EUR', rail: 'SEPA' } as const;

function tableWith(...rows: OverrideRow[]) {
  const checked = checkOverrides(rows);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return createCorridorTable({ overrides: checked.overrides });
}

describe("an operator's file", () => {
  it('changes what it says and leaves the rest, and each value says whose it is', () => {
    const shipped = createCorridorTable().find('DE', 'EUR', 'SEPA');
    const changed = tableWith({ ...SEPA_DE, max: '50000', returnWindowDays: null });
    const way = changed.find('DE', 'EUR', 'SEPA');
    expect(way).toEqual({
      ...shipped,
      max: '50000.00',
      returnWindowDays: null,
      sources: {
        ...shipped?.sources,
        max: { kind: 'OPERATOR' },
        returnWindowDays: { kind: 'OPERATOR' },
      },
    });
    expect(changed.find('FR', 'EUR', 'SEPA')).toEqual(
      createCorridorTable().find('FR', 'EUR', 'SEPA'),
    );
    expect(changed.all).toHaveLength(createCorridorTable().all.length);
  });

  it('suspends a corridor, which is then closed; the others go on', () => {
    const table = tableWith({ ...SEPA_DE, status: 'SUSPENDED' });
    expect(table.isOpen('DE', 'EUR', 'SEPA')).toBe(false);
    expect(table.isOpen('DE', 'EUR', 'SEPA_INSTANT')).toBe(true);
    expect(table.isOpen('FR', 'EUR', 'SEPA')).toBe(true);
  });

  it('adds a corridor behind the local rails and before SWIFT, or in front where it says so', () => {
    const row: OverrideRow = { country: 'DE', currency: 'EUR', rail: 'FPS' };
    const behind = tableWith(row).to('DE', 'EUR');
    expect(behind.map(({ rail }) => rail)).toEqual(['SEPA', 'SEPA_INSTANT', 'FPS', 'SWIFT']);
    expect(behind[2]).toMatchObject({
      ...{ min: '0.01', max: null, cutOff: null, returnsMayBeDeducted: true, status: 'ACTIVE' },
      sources: { min: { kind: 'DEFAULT' }, max: null },
    });
    const front = tableWith({ ...row, isDefault: true }).to('DE', 'EUR');
    expect(front.map(({ rail }) => rail)).toEqual(['FPS', 'SEPA', 'SEPA_INSTANT', 'SWIFT']);
    const known = tableWith({ country: 'DE', currency: 'EUR', rail: 'SWIFT', isDefault: true });
    expect(known.to('DE', 'EUR').map(({ rail }) => rail)).toEqual([
      ...['SWIFT', 'SEPA', 'SEPA_INSTANT'],
    ]);
  });

  it('reaches a country that the shipped table leaves out', () => {
    const table = tableWith({ country: 'MM', currency: 'USD', rail: 'SWIFT' });
    expect(createCorridorTable().to('MM', 'USD')).toEqual([]);
    expect(table.isOpen('MM', 'USD', 'SWIFT')).toBe(true);
  });

  it("takes calendars by name, or days of the operator's own", () => {
    const own = { closedWeekdays: ['FRI', 'SAT'] as const, dates: ['2026-12-02'] };
    const table = tableWith(
      { ...SEPA_DE, holidays: 'FEDERAL_RESERVE' },
      { country: 'AE', currency: 'AED', rail: 'SWIFT', holidays: own },
      { country: 'FR', currency: 'EUR', rail: 'SEPA', holidays: null },
    );
    expect(table.find('DE', 'EUR', 'SEPA')?.holidays?.dates).toContain('2026-11-26');
    expect(table.find('AE', 'AED', 'SWIFT')?.holidays).toEqual({ calendar: null, ...own });
    expect(table.find('FR', 'EUR', 'SEPA')?.holidays).toBeNull();
  });

  it('changes whether returns may be deducted', () => {
    const table = tableWith({ ...SEPA_DE, returnsMayBeDeducted: true });
    expect(table.returnsMayBeDeducted('SEPA', 'EUR')).toBe(true);
    expect(createCorridorTable().returnsMayBeDeducted('SEPA', 'EUR')).toBe(false);
  });
});

describe("an operator's file is refused for", () => {
  it.each<[string, object, string]>([
    ['a country that is none', { country: 'XX' }, 'country'],
    ['a country in lower case', { country: 'de' }, 'country'],
    ['a currency that is none', { currency: 'XAU' }, 'currency'],
    ['a rail that is none', { rail: 'TELEX' }, 'rail'],
    ["a rail that is an object's own", { rail: 'constructor' }, 'rail'],
    ['a limit with too many decimals', { max: '1.001' }, 'max'],
    ['a limit of nothing', { min: '0.00' }, 'min'],
    ['a limit below nothing', { min: '-1' }, 'min'],
    ['limits the wrong way round', { min: '10', max: '9.99' }, 'max'],
    ['an hour that is none', { cutOff: { time: '24:00', timeZone: 'UTC' } }, 'cutOff.time'],
    ['an offset', { cutOff: { time: '10:00', timeZone: '+01:00' } }, 'cutOff.timeZone'],
    ['a calendar that is none', { holidays: 'LUNAR' }, 'holidays'],
    ['a calendar of an object', { holidays: 'toString' }, 'holidays'],
    [
      'a day that is none',
      { holidays: { closedWeekdays: [], dates: ['2027-02-29'] } },
      'holidays.dates',
    ],
    ['no day at all', { holidays: { closedWeekdays: [], dates: ['soon'] } }, 'holidays.dates'],
  ])('%s, by row and field', (_, more, field) => {
    const row = { ...SEPA_DE, ...more } as OverrideRow;
    const good: OverrideRow = { country: 'US', currency: 'USD', rail: 'ACH' };
    expect(checkOverrides([good, row])).toMatchObject({
      ok: false,
      problems: [{ row: 2, field }],
    });
  });

  it('a corridor that is named twice, and two defaults of one pair', () => {
    expect(checkOverrides([SEPA_DE, SEPA_DE])).toMatchObject({
      problems: [{ row: 2, field: 'rail' }],
    });
    const swift: OverrideRow = { country: 'DE', currency: 'EUR', rail: 'SWIFT', isDefault: true };
    expect(checkOverrides([{ ...SEPA_DE, isDefault: true }, swift])).toMatchObject({
      problems: [{ row: 2, field: 'isDefault' }],
    });
  });

  it('everything at once', () => {
    const row = { country: 'XX', currency: 'QQQ', rail: 'NONE' } as OverrideRow;
    const checked = checkOverrides([row]);
    expect(checked.ok ? [] : checked.problems.map(({ field }) => field)).toEqual([
      ...['country', 'currency', 'rail'],
    ]);
  });
});
