/** One quote of one source: `rate` units of `quote` for one unit of `base`, mid-market. */
export interface FxLeg {
  base: string;
  quote: string;
  /** Plain positive decimal, as the source wrote it. */
  rate: string;
  /** The time for which the source states the rate, not the time at which it was fetched. */
  asOf: Date;
  source: string;
}
