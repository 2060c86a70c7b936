/** One quote of one source: `rate` units of `quote` for one unit of `base`, mid-market. */
export interface FxLeg {
  readonly base: string;
  readonly quote: string;
  /** Plain positive decimal, as the source wrote it. */
  readonly rate: string;
  /** The time for which the source states the rate, not the time at which it was fetched. */
  readonly asOf: Date;
  readonly source: string;
}
