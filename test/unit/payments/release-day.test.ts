import { describe, expect, it } from 'vitest';
import type { RailHours } from '../../../src/domain/payments/corridors/banking-days.ts';
import { holidaysOf } from '../../../src/domain/payments/corridors/calendars.ts';
import { WEEKDAYS } from '../../../src/domain/payments/corridors/corridor.ts';
import { releaseOn, SCHEDULE_DAYS_MAX } from '../../../src/domain/payments/release-day.ts';

const ACH: RailHours = {
  cutOff: { time: '16:45', timeZone: 'America/New_York' },
  holidays: holidaysOf('FEDERAL_RESERVE'),
};
const ALWAYS: RailHours = { cutOff: null, holidays: null };
const release = (date: string, now: string, hours = ACH) => {
  const found = releaseOn(hours, date, new Date(now));
  return found.ok ? found.releaseAt.toISOString() : found.problem;
};

describe('the release of a payment for a day', () => {
  it.each([
    ['an open day', '2026-12-01', '2026-11-25T15:00:00Z', '2026-12-01T05:00:00.000Z'],
    ['a day of summer time', '2027-04-01', '2026-11-25T15:00:00Z', '2027-04-01T04:00:00.000Z'],
    ['a holiday', '2026-11-26', '2026-11-25T15:00:00Z', '2026-11-27T05:00:00.000Z'],
    ['a weekend', '2026-11-28', '2026-11-25T15:00:00Z', '2026-11-30T05:00:00.000Z'],
    ['today, before the cut-off', '2026-11-25', '2026-11-25T21:44:59Z', '2026-11-25T21:44:59.000Z'],
    ['today, after the cut-off', '2026-11-25', '2026-11-25T21:45:00Z', '2026-11-27T05:00:00.000Z'],
    [
      'today there, tomorrow here',
      '2026-11-24',
      '2026-11-25T04:59:59Z',
      '2026-11-25T05:00:00.000Z',
    ],
    ['the day when it is over there', '2026-11-24', '2026-11-25T05:00:00Z', 'PAST'],
    ['yesterday', '2026-11-24', '2026-11-25T15:00:00Z', 'PAST'],
    ['no day', '2026-02-29', '2026-01-25T15:00:00Z', 'NO_DAY'],
    ['no month', '2026-13-01', '2026-11-25T15:00:00Z', 'NO_DAY'],
    ['a moment', '2026-12-01T00:00', '2026-11-25T15:00:00Z', 'NO_DAY'],
  ])('%s', (_what, date, now, expected) => {
    expect(release(date, now)).toBe(expected);
  });

  it(`is at most ${String(SCHEDULE_DAYS_MAX)} days ahead`, () => {
    expect(release('2027-05-24', '2026-11-25T15:00:00Z', ALWAYS)).toBe('2027-05-24T00:00:00.000Z');
    expect(release('2027-05-25', '2026-11-25T15:00:00Z', ALWAYS)).toBe('TOO_FAR');
    expect(release('9999-12-31', '2026-11-25T15:00:00Z', ALWAYS)).toBe('TOO_FAR');
  });

  it('is none where the rail never opens', () => {
    const never = {
      ...ACH,
      holidays: { calendar: null, closedWeekdays: WEEKDAYS, dates: [] },
    };
    expect(release('2026-12-01', '2026-11-25T15:00:00Z', never)).toBe('NEVER_OPEN');
  });
});
