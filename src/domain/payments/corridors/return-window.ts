import type { Corridor, Holidays } from './corridor.ts';
import { bankingDayAfter } from './opening.ts';
import type { RailHours } from './banking-days.ts';

const DAY_MS = 24 * 3_600_000;

/** For how long a rail lets a settled payment come back, where no source of its corridors says so. */
export interface ReturnWindows {
  /** In the test environment, of every rail: milliseconds after settlement. */
  readonly testMs: number;
  /** In the live environment, of rails without a stated window: banking days after settlement. */
  readonly liveDefaultDays: number;
}

export const DEFAULT_RETURN_WINDOWS: ReturnWindows = { testMs: 10_000, liveDefaultDays: 10 };

/** So many banking days of a rail. */
export interface ReturnWindow {
  readonly days: number;
  readonly hours: RailHours;
}

/** Where no source tells a rail's closing days: weekends make a window longer, never shorter. */
const WEEKENDS: Holidays = { calendar: null, closedWeekdays: ['SAT', 'SUN'], dates: [] };

/** The different windows among corridors: a payment knows its rail and currency, not its country. */
export function windowsOf(corridors: readonly Corridor[], defaultDays: number): ReturnWindow[] {
  const windows = new Map<string, ReturnWindow>();
  for (const { returnWindowDays, cutOff, holidays } of corridors) {
    const hours = { cutOff, holidays: holidays ?? WEEKENDS };
    const window = { days: returnWindowDays ?? defaultDays, hours };
    windows.set(JSON.stringify(window), window);
  }
  if (windows.size > 0) return [...windows.values()];
  return [{ days: defaultDays, hours: { cutOff: null, holidays: WEEKENDS } }];
}

/**
 * The end of the longest of some windows for what settled at a moment: the last banking day counts in
 * full. A rail that is closed for ever counts days as they come.
 */
export function windowEnd(windows: readonly ReturnWindow[], settledAt: Date): Date {
  const ends = windows.map(({ days, hours }) => {
    const end = bankingDayAfter(hours, settledAt, days);
    return end?.getTime() ?? settledAt.getTime() + (days + 1) * DAY_MS;
  });
  return new Date(Math.max(...ends));
}
