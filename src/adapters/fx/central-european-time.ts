const HOUR_MS = 3_600_000;

/**
 * The moment when clocks in Frankfurt and Warsaw show `hour` on a calendar day, by the EU's summer time rule
 * (Directive 2000/84/EC: last Sunday of March to last Sunday of October). `hour` must lie behind the
 * change at 01:00 UTC. Null when the text is not a day of the calendar ("2026-02-30").
 */
export function centralEuropeanTime(isoDay: string, hour: number): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(isoDay)) return null;
  const midnight = new Date(`${isoDay}T00:00:00.000Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(isoDay)) return null;
  const year = midnight.getUTCFullYear();
  const isSummerTime = midnight >= lastSundayOf(year, 2) && midnight < lastSundayOf(year, 9);
  return new Date(midnight.getTime() + (hour - (isSummerTime ? 2 : 1)) * HOUR_MS);
}

// Both months have 31 days. Month counted from 0.
function lastSundayOf(year: number, month: number): Date {
  const lastDay = new Date(Date.UTC(year, month, 31));
  return new Date(lastDay.getTime() - lastDay.getUTCDay() * 24 * HOUR_MS);
}
