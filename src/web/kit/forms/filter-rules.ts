import { Temporal } from 'temporal-polyfill';
import { readDay } from '../../../domain/ledger/statement-day.ts';
import type { FieldRule } from './form-rules.ts';

/** Years that anything of ours can be of. */
const YEAR = /^(19|20|21)[0-9]{2}-/;

/** A day as an input of that kind sends it. */
export const checkDay = (text: string): string | null =>
  YEAR.test(text) && readDay(text) !== null
    ? null
    : 'Enter a date as YYYY-MM-DD, for example 2026-11-22.';

/** The start of a day that lies so many days after another one, in a time zone. */
const startOf = (day: string, days: number, zone: string): number =>
  Temporal.PlainDate.from(day).add({ days }).toZonedDateTime(zone).epochMilliseconds;

/** What was created from one day to another, both included and either left out: the bounds of a list. */
export const withinDays = (
  { from, to }: { readonly from: string; readonly to: string },
  zone: string,
): { readonly createdAfter?: Date; readonly createdBefore?: Date } => ({
  // The list leaves both ends out; moments are whole milliseconds.
  ...(from !== '' && { createdAfter: new Date(startOf(from, 0, zone) - 1) }),
  ...(to !== '' && { createdBefore: new Date(startOf(to, 1, zone)) }),
});

/** A filter that is one of a few. */
export function oneOf(values: readonly string[]): Pick<FieldRule, 'lengthMax' | 'check'> {
  return {
    lengthMax: 40,
    check: (text) => (values.includes(text) ? null : `Choose one of ${values.join(', ')}.`),
  };
}

/** The options of a select whose filter is one of a few, or none of them. */
export const anyOrOneOf = <Value extends string>(
  values: readonly Value[],
  textOf: (value: Value) => string = (value) => value,
): readonly { readonly value: string; readonly text: string }[] => [
  { value: '', text: 'Any' },
  ...values.map((value) => ({ value, text: textOf(value) })),
];
