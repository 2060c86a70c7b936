const DAY_MS = 24 * 60 * 60 * 1000;

/** Clocks of several processes differ by less, and transactions commit within it. Milliseconds. */
const CLOSING_MARGIN_MS = 5 * 60 * 1000;

/** A day by UTC, counted from 1970-01-01. */
export type DayNumber = number;

export const dayOf = (moment: Date): DayNumber => Math.floor(moment.getTime() / DAY_MS);

/** "2026-11-21". */
export const dayText = (day: DayNumber): string => startOf(day).toISOString().slice(0, 10);

export const startOf = (day: DayNumber): Date => new Date(day * DAY_MS);

/** Reads "2026-11-21"; null where there is no such day. */
export function readDay(text: string): DayNumber | null {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return null;
  const moment = new Date(`${text}T00:00:00.000Z`);
  if (Number.isNaN(moment.getTime())) return null;
  const day = dayOf(moment);
  // "2026-02-30" is read as a day of March.
  return dayText(day) === text ? day : null;
}

/** From when on a day's statement may be asked for. */
export const closesAt = (day: DayNumber): Date =>
  new Date(startOf(day + 1).getTime() + CLOSING_MARGIN_MS);

/** The newest day whose statement may be asked for. */
export const lastClosedDay = (now: Date): DayNumber =>
  dayOf(new Date(now.getTime() - CLOSING_MARGIN_MS)) - 1;
