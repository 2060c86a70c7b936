/** What a Date writes for every moment of the years 0 to 9999. Beyond them it puts a sign and six digits. */
const TEXT_LENGTH = '2026-09-29T12:00:00.000Z'.length;

/** What is told of a text that is none. */
export const DATE_TIME_WANTED = 'Give a date and time such as 2026-09-29T12:00:00Z.';

/**
 * A moment that a body or a query names. Null for what the schema's date-time lets through and is none that can
 * be kept or shown: a leap second, an offset without minutes, an offset that leads out of the years 0 to 9999.
 */
export function readDateTime(text: string): Date | null {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) return null;
  return moment.toISOString().length === TEXT_LENGTH ? moment : null;
}
