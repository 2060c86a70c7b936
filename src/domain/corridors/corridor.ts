import type { Rail } from './rail.ts';

/** Local time of the rail, on its banking days. */
export interface CutOff {
  /** "HH:MM". */
  time: string;
  /** IANA name. */
  timeZone: string;
}

/** A way for money: to a country, in a currency, over a rail. */
export interface Corridor {
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** ISO 4217. */
  currency: string;
  rail: Rail;
  /** Smallest and greatest amount of one payment: decimal text, major units, both allowed. */
  min: string;
  max: string;
  /** After it a payment leaves on the next banking day; null where the rail never closes. */
  cutOff: CutOff | null;
  /** Banking days after settlement within which the beneficiary's bank may send the money back. */
  returnWindowDays: number;
  /** Banks on the way may take their charges off money that comes back. */
  returnsMayBeDeducted: boolean;
  status: 'ACTIVE' | 'SUSPENDED';
}
