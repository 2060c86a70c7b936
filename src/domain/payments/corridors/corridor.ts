import type { Rail } from './rail.ts';
import type { Basis } from './stated.ts';

/** Local time of the rail, on its banking days. */
interface CutOff {
  /** "HH:MM". */
  readonly time: string;
  /** IANA name. */
  readonly timeZone: string;
}

export const WEEKDAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;

export type Weekday = (typeof WEEKDAYS)[number];

/** The days on which a rail does not settle. */
export interface Holidays {
  /** Of our calendars; null for one that the operator wrote down. */
  readonly calendar: string | null;
  readonly closedWeekdays: readonly Weekday[];
  /** YYYY-MM-DD, in order. */
  readonly dates: readonly string[];
}

type CorridorStatus = 'ACTIVE' | 'SUSPENDED';

/** What is told of a corridor. Null where no source states it, or, with a source, where there is none. */
export interface CorridorTerms {
  /** Smallest and greatest amount of one payment: decimal text, major units, both allowed. */
  readonly min: string | null;
  readonly max: string | null;
  /** After it a payment leaves on the next banking day. */
  readonly cutOff: CutOff | null;
  readonly holidays: Holidays | null;
  /** By the end of this many banking days after the one on which a payment leaves it is credited. */
  readonly settlementDays: number | null;
  /** Banking days after settlement within which the beneficiary's bank may send the money back. */
  readonly returnWindowDays: number | null;
  /** Banks on the way may take their charges off money that comes back. */
  readonly returnsMayBeDeducted: boolean;
  /** Only what is ACTIVE takes payments and lets accepted ones leave. */
  readonly status: CorridorStatus;
}

/** What names a corridor. */
export interface CorridorKey {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly rail: Rail;
}

/** A way for money: to a country, in a currency, over a rail. */
export interface Corridor extends CorridorKey, CorridorTerms {
  readonly sources: Readonly<Record<keyof CorridorTerms, Basis>>;
}

/** The names of a corridor's terms, in the order in which they are shown. */
export const CORRIDOR_TERMS = [
  'min',
  'max',
  'cutOff',
  'holidays',
  'settlementDays',
  'returnWindowDays',
  'returnsMayBeDeducted',
  'status',
] as const satisfies readonly (keyof CorridorTerms)[];
