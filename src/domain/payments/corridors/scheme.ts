import { formatAmount } from '../../money/amount.ts';
import { CALENDARS, holidaysOf } from './calendars.ts';
import type { CalendarId } from './calendars.ts';
import { CORRIDOR_TERMS } from './corridor.ts';
import type { Corridor, CorridorKey, CorridorTerms, Holidays } from './corridor.ts';
import type { Rail } from './rail.ts';
import { byDefault, NOT_STATED, sourced } from './stated.ts';
import type { Basis, Stated } from './stated.ts';

type StatedTerms = { readonly [Term in keyof CorridorTerms]: Stated<CorridorTerms[Term]> };

/**
 * A payment system: one line of the table, which makes a corridor of each country and currency that it
 * serves. Terms that are left out are our defaults (one minor unit at least, charges may be taken off
 * a return, open), or not stated.
 */
export interface Scheme {
  readonly rail: Rail;
  /** ISO 3166-1 alpha-2 codes by ISO 4217 code; codes are separated by blanks. */
  readonly serves: Readonly<Record<string, string>>;
  readonly terms?: Partial<StatedTerms>;
}

/** The corridors of a scheme, in the order of its countries. */
export function corridorsOf({ rail, serves, terms = {} }: Scheme): Corridor[] {
  return Object.entries(serves).flatMap(([currency, countries]) =>
    countries
      .trim()
      .split(/\s+/)
      .map((country) =>
        corridorFrom({ country, currency, rail }, { ...defaultTerms(currency), ...terms }),
      ),
  );
}

/** What holds where nothing else is said. */
export function defaultTerms(currency: string): StatedTerms {
  return {
    min: byDefault(formatAmount(1n, currency)),
    max: NOT_STATED,
    cutOff: NOT_STATED,
    holidays: NOT_STATED,
    settlementDays: NOT_STATED,
    returnWindowDays: NOT_STATED,
    // The careful choice: only what the bank tells or states is credited.
    returnsMayBeDeducted: byDefault(true),
    status: byDefault('ACTIVE'),
  };
}

/** Puts values and what they rest on side by side. */
export function corridorFrom(key: CorridorKey, terms: StatedTerms): Corridor {
  const sources = Object.fromEntries(CORRIDOR_TERMS.map((term) => [term, terms[term].basis]));
  return {
    ...key,
    min: terms.min.value,
    max: terms.max.value,
    cutOff: terms.cutOff.value,
    holidays: terms.holidays.value,
    settlementDays: terms.settlementDays.value,
    returnWindowDays: terms.returnWindowDays.value,
    returnsMayBeDeducted: terms.returnsMayBeDeducted.value,
    status: terms.status.value,
    sources: sources as Record<keyof CorridorTerms, Basis>,
  };
}

/** A calendar as a term. */
export function closedOn(id: CalendarId): Stated<Holidays> {
  return sourced(holidaysOf(id), CALENDARS[id].source);
}

/** The terms of a rail that works round the clock on every day of the year, as a document says. */
export function neverCloses(
  source: Parameters<typeof sourced>[1],
): Pick<StatedTerms, 'cutOff' | 'holidays'> {
  return { cutOff: sourced(null, source), holidays: sourced(null, source) };
}
