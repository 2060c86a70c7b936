import { Temporal } from 'temporal-polyfill';
import { bankingDayFrom, isBankingDay, localDay, startOfDay, timeZoneOf } from './banking-days.ts';
import type { Day, RailHours } from './banking-days.ts';

/**
 * When a rail takes payments: on its banking days, from their first instant until its cut-off. A corridor
 * without holidays is open every day, one without a cut-off all day. A cut-off of 00:00 is the midnight
 * at the end of the day. Where clocks are put back over the cut-off, its first passing counts; where they
 * are put forward over it, it comes as long after the last time before the gap as it would have.
 */

/** The first instant at which the rail takes payments on a day (YYYY-MM-DD) there; null: it is closed. */
export function openingOn(hours: RailHours, date: string): Date | null {
  const day = Temporal.PlainDate.from(date);
  return isBankingDay(hours, day) ? startOfDay(hours, day) : null;
}

/** Whether a payment that leaves now is taken today. */
export function isOpenAt(hours: RailHours, at: Date): boolean {
  const day = localDay(hours, at);
  return isBankingDay(hours, day) && at < closingOf(hours, day);
}

/** The first instant from `at` on, itself included, at which the rail takes payments; null: never. */
export function nextOpening(hours: RailHours, at: Date): Date | null {
  if (isOpenAt(hours, at)) return at;
  const today = localDay(hours, at);
  const isOver = isBankingDay(hours, today);
  const day = bankingDayFrom(hours, isOver ? today.add({ days: 1 }) : today);
  return day && startOfDay(hours, day);
}

/**
 * The end of the banking day that is `days` banking days after the day of `from` at the rail: the first
 * instant that is no longer in it. A `from` on a closed day counts as the banking day after it. Whether
 * `from` is after the cut-off makes no difference: ask for `nextOpening` first where it should. Null
 * where the rail has no banking days. Throws RangeError where `days` is no whole number from 0.
 */
export function bankingDayAfter(hours: RailHours, from: Date, days: number): Date | null {
  if (!Number.isInteger(days) || days < 0)
    throw new RangeError('days must be a whole number from 0');
  let day = bankingDayFrom(hours, localDay(hours, from));
  for (let left = days; day !== null && left > 0; left -= 1) {
    day = bankingDayFrom(hours, day.add({ days: 1 }));
  }
  return day && startOfDay(hours, day.add({ days: 1 }));
}

/** The instant from which the rail takes no more payments of that day. */
function closingOf(hours: RailHours, day: Day): Date {
  const time = hours.cutOff?.time ?? '00:00';
  if (time === '00:00') return startOfDay(hours, day.add({ days: 1 }));
  const closing = day.toZonedDateTime({ timeZone: timeZoneOf(hours), plainTime: time });
  return new Date(closing.epochMilliseconds);
}
