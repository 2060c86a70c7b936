import { Temporal } from 'temporal-polyfill';
import { CALENDARS, type CalendarId } from '../corridors/calendars.ts';
import { anchorOf } from './asset-anchors.ts';

/**
 * Currencies are traded from Sunday to Friday, 17:00 in New York, the convention of the spot market. A day on
 * which the centers of both currencies of a pair keep a holiday is closed too. No calendar is known of most currencies: for
 * those, a day counts that all known centers keep, as 25 December.
 */
const NEW_YORK = 'America/New_York';
const CLOSE_HOUR = 17;
const FRIDAY = 5;
const SUNDAY = 7;

const CENTERS: Readonly<Record<string, readonly CalendarId[]>> = {
  EUR: ['TARGET'],
  USD: ['FEDERAL_RESERVE'],
};
const ALL_CENTERS: readonly CalendarId[] = ['TARGET', 'FEDERAL_RESERVE'];

/** More than a weekend and the holidays around it. */
const CLOSURES_MAX = 10;

/**
 * The last instant until `at` at which a pair was traded: `at` itself in an open market, else the close. A coin
 * is looked at as what it is held to, and against that it is traded at any time.
 */
export function lastTradedAt(base: string, quote: string, at: Date): Date {
  const centers = centersOf(base, quote);
  if (centers.length === 0) return at;
  let traded = at;
  for (let count = 0; count < CLOSURES_MAX; count += 1) {
    // Just before a close the market was open, unless another closure ends there.
    const before = count === 0 ? traded : new Date(traded.getTime() - 1);
    const close = closeBefore(before, centers);
    if (close === null) return traded;
    traded = close;
  }
  return traded;
}

/** Whether a pair was not traded at the time of its rate, or is not at the time of the question. */
export const isRateOfClosedMarket = (
  base: string,
  quote: string,
  { asOf, at }: { readonly asOf: Date; readonly at: Date },
): boolean => lastTradedAt(base, quote, asOf) < asOf || lastTradedAt(base, quote, at) < at;

/** Whether that is so of one of these rates. */
export function isAnyOfClosedMarket(
  rates: readonly { readonly base: string; readonly quote: string; readonly asOf: Date }[],
  at: Date,
): boolean {
  // Rates of one source share their time, and most pairs their centers: each case is worked out once.
  const cases = new Map(
    rates.map((rate) => [
      `${centersOf(rate.base, rate.quote).join()} ${String(rate.asOf.getTime())}`,
      rate,
    ]),
  );
  return [...cases.values()].some(({ base, quote, asOf }) =>
    isRateOfClosedMarket(base, quote, { asOf, at }),
  );
}

/** The centers that must be closed for a pair not to be traded; none of a pair that is traded at any time. */
function centersOf(base: string, quote: string): readonly CalendarId[] {
  const [one, other] = [anchorOf(base) ?? base, anchorOf(quote) ?? quote];
  if (one === other) return [];
  return ALL_CENTERS.filter((center) =>
    [one, other].some((code) => (CENTERS[code] ?? ALL_CENTERS).includes(center)),
  );
}

/** Where the closure that an instant lies in began; null in an open market. */
function closeBefore(at: Date, centers: readonly CalendarId[]): Date | null {
  const weekend = weekendBefore(at);
  if (weekend !== null) return weekend;
  const starts = centers.map((center) => holidayAt(at, center));
  const known = starts.filter((start) => start !== null);
  // All must be closed, so that the last one to close counts.
  if (known.length < centers.length) return null;
  return new Date(Math.max(...known.map((start) => start.getTime())));
}

const zoned = (at: Date, timeZone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);

/** The Friday's close, of an instant after it and before Sunday's opening. */
function weekendBefore(at: Date): Date | null {
  const { dayOfWeek, hour } = zoned(at, NEW_YORK);
  const isAfterClose = dayOfWeek > FRIDAY || (dayOfWeek === FRIDAY && hour >= CLOSE_HOUR);
  const isReopened = dayOfWeek === SUNDAY && hour >= CLOSE_HOUR;
  if (!isAfterClose || isReopened) return null;
  const friday = zoned(at, NEW_YORK)
    .toPlainDate()
    .subtract({ days: dayOfWeek - FRIDAY });
  const close = friday.toZonedDateTime({ timeZone: NEW_YORK, plainTime: { hour: CLOSE_HOUR } });
  return new Date(close.epochMilliseconds);
}

/** The start of the center's day, where it keeps a holiday. */
function holidayAt(at: Date, center: CalendarId): Date | null {
  const { dates, timeZone } = CALENDARS[center];
  const day = zoned(at, timeZone).toPlainDate();
  return dates.includes(day.toString())
    ? new Date(day.toZonedDateTime(timeZone).epochMilliseconds)
    : null;
}
