import { formatAmount, parseAmount } from '../../money/amount.ts';
import { isCurrency } from '../../money/currencies.ts';
import { isCalendar, holidaysOf } from './calendars.ts';
import type { CorridorTerms, Holidays } from './corridor.ts';
import { isCountry } from './countries.ts';
import type { CorridorOverride } from './overrides.ts';
import { isRail } from './rail.ts';
import { isTimeZone } from './time-zone.ts';

/** A row of an operator's file whose shape is right: what its values mean has not been looked at. */
export interface OverrideRow extends Partial<Omit<CorridorTerms, 'holidays'>> {
  readonly country: string;
  readonly currency: string;
  readonly rail: string;
  /** The name of a calendar, or one of the operator's own. */
  readonly holidays?: string | null | Omit<Holidays, 'calendar'>;
  readonly isDefault?: true;
}

/** What is wrong with a row: the field, and what it must be. */
interface RowProblem {
  /** Counted from 1. */
  readonly row: number;
  readonly field: string;
  readonly must: string;
}

type CheckedOverrides =
  | { readonly ok: true; readonly overrides: readonly CorridorOverride[] }
  | { readonly ok: false; readonly problems: readonly RowProblem[] };

/** Judges the rows of an operator's file, all problems at once. */
export function checkOverrides(rows: readonly OverrideRow[]): CheckedOverrides {
  const problems = rows.flatMap((row, index) =>
    [...checkKey(row, rows.slice(0, index)), ...checkTerms(row)].map(([field, must]) => ({
      row: index + 1,
      field,
      must,
    })),
  );
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, overrides: rows.flatMap(toOverride) };
}

type FieldProblem = readonly [field: string, must: string];

function* checkKey(row: OverrideRow, before: readonly OverrideRow[]): Generator<FieldProblem> {
  const { country, currency, rail } = row;
  if (!isCountry(country)) yield ['country', 'an ISO 3166-1 alpha-2 code'];
  if (!isCurrency(currency)) yield ['currency', 'an ISO 4217 code'];
  if (!isRail(rail)) yield ['rail', 'the name of a rail'];
  const pair = before.filter((one) => one.country === country && one.currency === currency);
  if (pair.some((one) => one.rail === rail)) yield ['rail', 'in one row only with this country'];
  if (row.isDefault === true && pair.some((one) => one.isDefault === true)) {
    yield ['isDefault', 'in one row only for a country and currency'];
  }
}

function* checkTerms({
  currency,
  min,
  max,
  cutOff,
  holidays,
}: OverrideRow): Generator<FieldProblem> {
  if (isCurrency(currency)) {
    const [least, most] = [minorOf(min, currency), minorOf(max, currency)];
    const must = `a positive amount with the decimals of ${currency}, as text, or null`;
    if (least === 'unreadable') yield ['min', must];
    if (most === 'unreadable') yield ['max', must];
    if (typeof least === 'bigint' && typeof most === 'bigint' && least > most) {
      yield ['max', 'no less than min'];
    }
  }
  if (cutOff && !/^([01][0-9]|2[0-3]):[0-5][0-9]$/.test(cutOff.time)) {
    yield ['cutOff.time', 'a time HH:MM'];
  }
  if (cutOff && !isTimeZone(cutOff.timeZone)) yield ['cutOff.timeZone', 'an IANA time zone'];
  if (typeof holidays === 'string' && !isCalendar(holidays)) {
    yield ['holidays', 'the name of a calendar, days of your own, or null'];
  }
  if (typeof holidays === 'object' && holidays?.dates.every(isDate) === false) {
    yield ['holidays.dates', 'days of the calendar, YYYY-MM-DD'];
  }
}

function minorOf(text: string | null | undefined, currency: string): bigint | 'unreadable' | null {
  if (text === null || text === undefined) return null;
  const parsed = parseAmount(text, currency);
  return parsed.ok ? parsed.minor : 'unreadable';
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

function toOverride({ holidays, rail, min, max, ...row }: OverrideRow): CorridorOverride[] {
  if (!isRail(rail)) return [];
  const amount = (text: string | null): string | null => {
    const minor = minorOf(text, row.currency);
    return typeof minor === 'bigint' ? formatAmount(minor, row.currency) : null;
  };
  return [
    {
      ...row,
      rail,
      ...(min === undefined ? {} : { min: amount(min) }),
      ...(max === undefined ? {} : { max: amount(max) }),
      ...(holidays === undefined ? {} : { holidays: readHolidays(holidays) }),
    },
  ];
}

function readHolidays(said: NonNullable<OverrideRow['holidays']> | null): Holidays | null {
  if (said === null) return null;
  if (typeof said !== 'string') return { calendar: null, ...said };
  return isCalendar(said) ? holidaysOf(said) : null;
}
