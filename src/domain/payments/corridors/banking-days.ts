import { Temporal } from 'temporal-polyfill';
import { CALENDARS, isCalendar } from './calendars.ts';
import type { CorridorTerms } from './corridor.ts';
import { WEEKDAYS } from './corridor.ts';

/** What of a corridor says on which days, and until when on a day, its rail takes payments. */
export type RailHours = Pick<CorridorTerms, 'cutOff' | 'holidays'>;

/** A day of a calendar without a place: the standard's type, nothing of the workflow engine's. */
export type Day = Temporal.PlainDate;

/**
 * The time zone in which a corridor's days are counted, by its IANA name: its cut-off's, else its
 * calendar's, else UTC, because nothing says where the rail keeps its days.
 */
export function timeZoneOf({ cutOff, holidays }: RailHours): string {
  if (cutOff !== null) return cutOff.timeZone;
  const calendar = holidays?.calendar ?? '';
  return isCalendar(calendar) ? CALENDARS[calendar].timeZone : 'UTC';
}

/** The day that text says, YYYY-MM-DD; null where the calendar has no such day. */
export function readDay(text: string): Day | null {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return null;
  try {
    return Temporal.PlainDate.from(text);
  } catch {
    return null;
  }
}

/** The day that it is at the rail. */
export function localDay(hours: RailHours, at: Date): Day {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timeZoneOf(hours))
    .toPlainDate();
}

/** The first instant of a day at the rail: not always midnight, where clocks change at midnight. */
export function startOfDay(hours: RailHours, day: Day): Date {
  return new Date(day.toZonedDateTime(timeZoneOf(hours)).epochMilliseconds);
}

/** Whether the rail settles on that day. Calendars end with 2027; after it, only weekdays close a rail. */
export function isBankingDay({ holidays }: RailHours, day: Day): boolean {
  if (holidays === null) return true;
  const weekday = WEEKDAYS[day.dayOfWeek - 1];
  const isClosed = weekday !== undefined && holidays.closedWeekdays.includes(weekday);
  return !isClosed && !holidays.dates.includes(day.toString());
}

/** No rail is closed for longer: what is found closed for so many days in a row never opens. */
const CLOSED_DAYS_MAX = 366;

/** The day itself or the first banking day after it; null where the rail has none within a year. */
export function bankingDayFrom(hours: RailHours, day: Day): Day | null {
  for (let ahead = 0; ahead <= CLOSED_DAYS_MAX; ahead += 1) {
    const candidate = day.add({ days: ahead });
    if (isBankingDay(hours, candidate)) return candidate;
  }
  return null;
}
