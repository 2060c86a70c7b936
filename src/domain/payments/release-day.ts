import { localDay, readDay, startOfDay, type RailHours } from './corridors/banking-days.ts';
import { nextOpening } from './corridors/opening.ts';

/** How many days ahead of the rail's today a payment may be ordered. */
export const SCHEDULE_DAYS_MAX = 180;

/** From when on a payment for a day may leave, or why no payment can be for that day. */
export type ReleaseDay =
  | { readonly ok: true; readonly releaseAt: Date }
  | { readonly ok: false; readonly problem: 'NO_DAY' | 'PAST' | 'TOO_FAR' | 'NEVER_OPEN' };

/**
 * When a payment that is ordered `now` for a day (YYYY-MM-DD, in the rail's time zone) may leave: when the
 * rail opens that day; where it is closed that day, or has closed already today, at its next opening.
 */
export function releaseOn(hours: RailHours, date: string, now: Date): ReleaseDay {
  const today = localDay(hours, now);
  const day = readDay(date);
  if (day === null) return { ok: false, problem: 'NO_DAY' };
  const ahead = today.until(day, { largestUnit: 'days' }).days;
  if (ahead < 0) return { ok: false, problem: 'PAST' };
  if (ahead > SCHEDULE_DAYS_MAX) return { ok: false, problem: 'TOO_FAR' };
  const from = ahead === 0 ? now : startOfDay(hours, day);
  const releaseAt = nextOpening(hours, from);
  return releaseAt === null ? { ok: false, problem: 'NEVER_OPEN' } : { ok: true, releaseAt };
}
