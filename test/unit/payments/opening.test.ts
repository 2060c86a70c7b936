import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { RailHours } from '../../../src/domain/payments/corridors/banking-days.ts';
import { holidaysOf } from '../../../src/domain/payments/corridors/calendars.ts';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import { WEEKDAYS, type Weekday } from '../../../src/domain/payments/corridors/corridor.ts';
import {
  bankingDayAfter,
  isOpenAt,
  nextOpening,
  openingOn,
} from '../../../src/domain/payments/corridors/opening.ts';

const ALWAYS: RailHours = { cutOff: null, holidays: null };
const in_ = (timeZone: string, time = '16:00'): RailHours => ({
  cutOff: { time, timeZone },
  holidays: null,
});
const closedAtWeekends = (hours: RailHours, dates: string[] = []): RailHours => ({
  ...hours,
  holidays: { calendar: null, closedWeekdays: ['SAT', 'SUN'], dates },
});
const ACH: RailHours = {
  cutOff: { time: '16:45', timeZone: 'America/New_York' },
  holidays: holidaysOf('FEDERAL_RESERVE'),
};
const iso = (at: Date | null) => at?.toISOString().replace('.000Z', 'Z') ?? null;

describe('the opening of a rail on a day', () => {
  it.each([
    ['Europe/Berlin', '2027-01-04', '2027-01-03T23:00:00Z'],
    ['Europe/Berlin', '2027-07-05', '2027-07-04T22:00:00Z'],
    ['America/New_York', '2027-01-04', '2027-01-04T05:00:00Z'],
    ['America/New_York', '2027-07-05', '2027-07-05T04:00:00Z'],
    ['Asia/Kathmandu', '2027-01-04', '2027-01-03T18:15:00Z'],
    ['America/Sao_Paulo', '2027-01-04', '2027-01-04T03:00:00Z'],
    ['Pacific/Kiritimati', '2027-01-04', '2027-01-03T10:00:00Z'],
    ['UTC', '2027-01-04', '2027-01-04T00:00:00Z'],
    // The day on which clocks go forward begins as ever; where they do so at midnight, an hour late.
    ['Europe/Berlin', '2027-03-28', '2027-03-27T23:00:00Z'],
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z'],
    // Clocks go back: at 3:00, at the midnight before the day, and at 1:00 to 0:00, so that it begins twice.
    ['Europe/Berlin', '2027-10-31', '2027-10-30T22:00:00Z'],
    ['America/Sao_Paulo', '2018-02-18', '2018-02-18T03:00:00Z'],
    ['America/Havana', '2025-11-02', '2025-11-02T04:00:00Z'],
  ])('in %s, %s begins at %s', (timeZone, date, at) => {
    expect(iso(openingOn(in_(timeZone), date))).toBe(at);
  });

  it.each(['2027-01-02', '2027-01-03', '2027-01-18', '2026-11-26'])(
    'is none where the rail is closed all day, as on %s',
    (date) => {
      expect(openingOn(ACH, date)).toBeNull();
    },
  );

  it('counts the days of a calendar in its own time zone where no cut-off names one', () => {
    const target = { cutOff: null, holidays: holidaysOf('TARGET') };
    expect(iso(openingOn(target, '2026-12-28'))).toBe('2026-12-27T23:00:00Z');
    expect(openingOn(target, '2026-12-25')).toBeNull();
    expect(iso(openingOn(closedAtWeekends(ALWAYS), '2026-12-28'))).toBe('2026-12-28T00:00:00Z');
  });

  it('knows no holidays after the calendars end, only weekdays', () => {
    expect(iso(openingOn(ACH, '2028-07-04'))).toBe('2028-07-04T04:00:00Z');
    expect(openingOn(ACH, '2028-07-08')).toBeNull();
  });

  it('is found for every corridor within two weeks', () => {
    const at = new Date('2026-12-18T12:00:00Z');
    for (const corridor of createCorridorTable().all) {
      const opening = nextOpening(corridor, at);
      expect(opening?.getTime()).toBeLessThan(at.getTime() + 14 * 86_400_000);
    }
  });
});

describe('an open rail', () => {
  it.each([
    ['2026-11-25T21:44:59.999Z', true],
    ['2026-11-25T21:45:00.000Z', false],
    // Thanksgiving.
    ['2026-11-26T15:00:00.000Z', false],
    ['2026-11-27T04:59:59.999Z', false],
    ['2026-11-27T05:00:00.000Z', true],
    ['2026-11-28T15:00:00.000Z', false],
  ])('is closed from its cut-off on, and on holidays: at %s it is %s', (at, isOpen) => {
    expect(isOpenAt(ACH, new Date(at))).toBe(isOpen);
  });

  it('never closes without cut-off and holidays', () => {
    const at = new Date('2026-12-25T23:59:59.999Z');
    expect(isOpenAt(ALWAYS, at)).toBe(true);
    expect(nextOpening(ALWAYS, at)).toEqual(at);
  });

  it('closes once where clocks are put back over the cut-off, and where they are put forward', () => {
    const berlin = in_('Europe/Berlin', '02:30');
    expect(isOpenAt(berlin, new Date('2027-10-31T00:29:59Z'))).toBe(true);
    expect(isOpenAt(berlin, new Date('2027-10-31T00:30:00Z'))).toBe(false);
    // 2:10 for the second time.
    expect(isOpenAt(berlin, new Date('2027-10-31T01:10:00Z'))).toBe(false);
    // 2:30 does not come: half an hour after 2:00 it is 3:30.
    expect(isOpenAt(berlin, new Date('2027-03-28T01:29:59Z'))).toBe(true);
    expect(isOpenAt(berlin, new Date('2027-03-28T01:30:00Z'))).toBe(false);
    // The day begins at 1:00, and is open all the same.
    const saoPaulo = in_('America/Sao_Paulo', '00:30');
    expect(nextOpening(saoPaulo, new Date('2018-11-03T12:00:00Z'))).toEqual(
      new Date('2018-11-04T03:00:00Z'),
    );
    expect(isOpenAt(saoPaulo, new Date('2018-11-04T03:00:00Z'))).toBe(true);
    expect(isOpenAt(saoPaulo, new Date('2018-11-04T03:30:00Z'))).toBe(false);
  });

  it('takes a cut-off of 00:00 as the end of the day', () => {
    const berlin = in_('Europe/Berlin', '00:00');
    expect(isOpenAt(berlin, new Date('2027-01-04T22:59:59Z'))).toBe(true);
    expect(nextOpening(berlin, new Date('2027-01-04T22:59:59Z'))).toEqual(
      new Date('2027-01-04T22:59:59Z'),
    );
  });
});

describe('the next opening', () => {
  it.each([
    // A Wednesday before Thanksgiving: open, then after the cut-off, then closed all day.
    ['2026-11-25T15:00:00Z', '2026-11-25T15:00:00Z'],
    ['2026-11-25T21:45:00Z', '2026-11-27T05:00:00Z'],
    ['2026-11-26T15:00:00Z', '2026-11-27T05:00:00Z'],
    // Friday evening: over the weekend.
    ['2026-11-27T23:00:00Z', '2026-11-30T05:00:00Z'],
    // In UTC it is Saturday already, in New York not.
    ['2026-11-28T01:00:00Z', '2026-11-30T05:00:00Z'],
  ])('from %s is %s', (at, opening) => {
    expect(iso(nextOpening(ACH, new Date(at)))).toBe(opening);
  });

  it('is none where an operator closed every weekday', () => {
    const never = { ...ACH, holidays: { calendar: null, closedWeekdays: WEEKDAYS, dates: [] } };
    const at = new Date('2026-11-25T15:00:00Z');
    expect(nextOpening(never, at)).toBeNull();
    expect(bankingDayAfter(never, at, 2)).toBeNull();
  });
});

describe('so many banking days later', () => {
  it.each([
    ['2026-11-25T15:00:00Z', 0, '2026-11-26T05:00:00Z'],
    // Over Thanksgiving, and over the weekend.
    ['2026-11-25T15:00:00Z', 1, '2026-11-28T05:00:00Z'],
    ['2026-11-25T15:00:00Z', 2, '2026-12-01T05:00:00Z'],
    // After the cut-off it is the same day.
    ['2026-11-26T04:00:00Z', 1, '2026-11-28T05:00:00Z'],
    // From a closed day: as from the banking day after it.
    ['2026-11-28T15:00:00Z', 0, '2026-12-01T05:00:00Z'],
    ['2026-11-28T15:00:00Z', 2, '2026-12-03T05:00:00Z'],
    // Into the days of daylight saving.
    ['2027-03-12T15:00:00Z', 1, '2027-03-16T04:00:00Z'],
  ])('than %s, %i of them, is the end of the day at %s', (from, days, end) => {
    expect(iso(bankingDayAfter(ACH, new Date(from), days))).toBe(end);
  });

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('there is no day %d', (days) => {
    expect(() => bankingDayAfter(ACH, new Date('2026-11-25T15:00:00Z'), days)).toThrow(RangeError);
  });
});

const ZONES = [
  ...['Europe/Berlin', 'America/New_York', 'America/Sao_Paulo', 'Asia/Kathmandu', 'UTC'],
  ...['America/Havana', 'Australia/Lord_Howe', 'Pacific/Apia', 'Africa/Casablanca', 'Asia/Tehran'],
];

/** Making one takes longer than asking it. */
const CLOCKS = new Map(
  ZONES.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, weekday: 'short', hourCycle: 'h23', hour: '2-digit', minute: '2-digit' },
      ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    }),
  ]),
);

/** The local clock, by Node's own time zone data: what the rules use another reading of. */
function wallClock(timeZone: string, at: Date) {
  const told = CLOCKS.get(timeZone)?.formatToParts(at) ?? [];
  const parts = Object.fromEntries(told.map(({ type, value }) => [type, value]));
  const { year = '', month = '', day = '', hour = '', minute = '', weekday = '' } = parts;
  return {
    date: `${year}-${month}-${day}`,
    time: `${hour}:${minute}`,
    weekday: weekday.toUpperCase() as Weekday,
  };
}

const cutOffs = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));

const rails = fc.record({
  cutOff: fc.record({ time: cutOffs, timeZone: fc.constantFrom(...ZONES) }),
  holidays: fc.record({
    calendar: fc.constant(null),
    closedWeekdays: fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { maxLength: 6 }),
    dates: fc.constantFrom<string[]>(
      [],
      ['2026-12-25', '2026-12-28'],
      ['2027-03-28', '2027-10-31'],
    ),
  }),
});
const moments = fc.date({
  ...{ min: new Date('2012-01-01T00:00:00Z'), max: new Date('2029-01-01T00:00:00Z') },
  noInvalidDate: true,
});

describe('openings in any zone', () => {
  it('are the first open instants of a banking day by the local clock', () => {
    fc.assert(
      fc.property(rails, moments, (rail, at) => {
        const opening = nextOpening(rail, at);
        if (opening === null) throw new Error('one weekday is open');
        const { timeZone } = rail.cutOff;
        const { date, weekday } = wallClock(timeZone, opening);
        expect(opening.getTime()).toBeGreaterThanOrEqual(at.getTime());
        expect(rail.holidays.closedWeekdays).not.toContain(weekday);
        expect(rail.holidays.dates).not.toContain(date);
        expect(nextOpening(rail, opening)).toEqual(opening);
        if (opening.getTime() === at.getTime()) return;
        const before = new Date(opening.getTime() - 1);
        expect(wallClock(timeZone, before).date).not.toBe(date);
        expect(isOpenAt(rail, before) && rail.cutOff.time !== '00:00').toBe(false);
        expect(openingOn(rail, date)).toEqual(opening);
      }),
      { numRuns: 1_000 },
    );
  });

  it('say that a rail is closed after its cut-off by the local clock', () => {
    fc.assert(
      fc.property(rails, moments, (rail, at) => {
        const { time, weekday, date } = wallClock(rail.cutOff.timeZone, at);
        const isClosedDay =
          rail.holidays.closedWeekdays.includes(weekday) || rail.holidays.dates.includes(date);
        // An hour ago, too: a cut-off that clocks are put forward over comes so much later.
        const earlier = wallClock(rail.cutOff.timeZone, new Date(at.getTime() - 3_600_000));
        const isOver = earlier.date === date && earlier.time >= rail.cutOff.time;
        if (isClosedDay) expect(isOpenAt(rail, at)).toBe(false);
        else if (rail.cutOff.time === '00:00') expect(isOpenAt(rail, at)).toBe(true);
        else if (time >= rail.cutOff.time && isOver) expect(isOpenAt(rail, at)).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });
});
