const EARLIEST = Date.parse('1000-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The moment of a text that begins with a date (ISO 8601); without a time its first one in UTC. Null for what
 * PostgreSQL, RFC 3339 and a Date do not all hold and show alike: years of other than four digits, also by
 * a zone's offset, leap seconds and days that no calendar has.
 */
export function readMoment(text: string): Date | null {
  const moment = new Date(text);
  const isHeld = moment.getTime() >= EARLIEST && moment.getTime() <= LATEST;
  return isHeld && isCalendarDay(text.slice(0, 'YYYY-MM-DD'.length)) ? moment : null;
}

/** A Date takes the 30th of February for the 2nd of March. */
function isCalendarDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
