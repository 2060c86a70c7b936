import { closesAt, dayOf, startOf } from '../ledger/statement-day.ts';

/** A span of time that is over and whose payments are summed once: a day by UTC, or an hour. */
export interface SummedSpan {
  readonly startsAt: Date;
  readonly hours: 1 | 24;
}

const HOUR_MS = 60 * 60 * 1_000;
const DAY_HOURS = 24;
/** What a day waits for before it is over for good; an hour waits for as long. */
const MARGIN_MS = closesAt(0).getTime() - startOf(1).getTime();

export const endOf = ({ startsAt, hours }: SummedSpan): Date =>
  new Date(startsAt.getTime() + hours * HOUR_MS);

/**
 * How the newest `days` days by UTC, today included, are put together: days and, of the newest of them, hours
 * that are over, without a gap and oldest first; and the moment from which on payments are counted.
 */
export function spansOfDays(
  now: Date,
  days: number,
): { readonly spans: readonly SummedSpan[]; readonly openFrom: Date } {
  const overMs = Math.floor((now.getTime() - MARGIN_MS) / HOUR_MS) * HOUR_MS;
  const firstDay = dayOf(now) - days + 1;
  // The last day that is not over for good: yesterday for a while after midnight.
  const lastDay = dayOf(new Date(overMs));
  const whole = Array.from({ length: lastDay - firstDay }, (_none, index): SummedSpan => ({
    startsAt: startOf(firstDay + index),
    hours: DAY_HOURS,
  }));
  const lastMs = startOf(lastDay).getTime();
  const hours = Array.from({ length: (overMs - lastMs) / HOUR_MS }, (_none, index): SummedSpan => ({
    startsAt: new Date(lastMs + index * HOUR_MS),
    hours: 1,
  }));
  return { spans: [...whole, ...hours], openFrom: new Date(overMs) };
}
