import type { Rail } from './rail.ts';

/** Local time of the rail, on its banking days. */
export interface CutOff {
  /** "HH:MM". */
  readonly time: string;
  /** IANA name. */
  readonly timeZone: string;
}

/** A way for money: to a country, in a currency, over a rail. */
export interface Corridor {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly rail: Rail;
  /** Smallest and greatest amount of one payment: decimal text, major units, both allowed. */
  readonly min: string;
  readonly max: string;
  /** After it a payment leaves on the next banking day; null where the rail never closes. */
  readonly cutOff: CutOff | null;
  /** Banking days after settlement within which the beneficiary's bank may send the money back. */
  readonly returnWindowDays: number;
  /** Banks on the way may take their charges off money that comes back. */
  readonly returnsMayBeDeducted: boolean;
  readonly status: 'ACTIVE' | 'SUSPENDED';
}
