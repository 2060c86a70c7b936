const EARLIEST_YEAR = 1900;

/** Is this a day of the calendar, written YYYY-MM-DD, from 1900 on and no later than today in UTC? */
export function isPastDate(text: string, now: Date): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null || Number(match[1]) < EARLIEST_YEAR) return false;
  const day = new Date(`${text}T00:00:00.000Z`);
  // The Date of a 31 February is 3 March: only a real day comes back as it went in.
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text) return false;
  return day.getTime() <= now.getTime();
}
