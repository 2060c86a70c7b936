import type { Holidays } from './corridor.ts';
import type { SourceId } from './sources.ts';

interface Calendar extends Holidays {
  readonly calendar: string;
  /** Where its days begin and end: an IANA name. */
  readonly timeZone: string;
  readonly source: SourceId;
}

const WEEKEND = ['SAT', 'SUN'] as const;

/** Closing days of 2026 and 2027, one line a year. */
const dates = (text: string): string[] => text.trim().split(/\s+/);

/** The closing days of payment systems that we have a source for. */
export const CALENDARS: Readonly<Record<'TARGET' | 'FEDERAL_RESERVE', Calendar>> = {
  // New Year's Day, Good Friday, Easter Monday, 1 May, 25 and 26 December.
  TARGET: {
    calendar: 'TARGET',
    // The ECB keeps TARGET's business day in Frankfurt's time.
    timeZone: 'Europe/Berlin',
    closedWeekdays: WEEKEND,
    dates: dates(`
      2026-01-01 2026-04-03 2026-04-06 2026-05-01 2026-12-25 2026-12-26
      2027-01-01 2027-03-26 2027-03-29 2027-05-01 2027-12-25 2027-12-26`),
    source: 'ECB_TARGET',
  },
  // A holiday on a Saturday closes nothing, one on a Sunday closes the Monday after it.
  FEDERAL_RESERVE: {
    calendar: 'FEDERAL_RESERVE',
    timeZone: 'America/New_York',
    closedWeekdays: WEEKEND,
    dates: dates(`
      2026-01-01 2026-01-19 2026-02-16 2026-05-25 2026-06-19 2026-09-07 2026-10-12 2026-11-11 2026-11-26 2026-12-25
      2027-01-01 2027-01-18 2027-02-15 2027-05-31 2027-07-05 2027-09-06 2027-10-11 2027-11-11 2027-11-25`),
    source: 'FED_K8',
  },
};

export type CalendarId = keyof typeof CALENDARS;

/** Is this the name of one of our calendars? */
export function isCalendar(text: string): text is CalendarId {
  return Object.hasOwn(CALENDARS, text);
}

/** The calendar's days, without what it rests on. */
export function holidaysOf(id: CalendarId): Holidays {
  const { calendar, closedWeekdays, dates: days } = CALENDARS[id];
  return { calendar, closedWeekdays, dates: days };
}
