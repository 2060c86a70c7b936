import type { AssetMarkup } from './asset-markup.ts';

/** What the operator takes for a quote, chosen by environment. */
export interface QuotePricing {
  /** Basis points by which the rate lies below the mid-market rate, between two currencies. */
  readonly markupBps: number;
  /** The same of a quote with an asset in it. */
  readonly assetMarkupBps: AssetMarkup;
  /** What is taken for the time that a rate is held, in percent of the risk; 0 is nothing. See lockMarkupBps. */
  readonly lockMarkupPercent: number;
  /** Whether two currencies are quoted against each other. */
  readonly hasCurrencies: boolean;
  /** Milliseconds: the age beyond which a rate between two currencies is not quoted; absent where it is that of all rates. */
  readonly rateMaxAgeMs?: number | undefined;
  /** Basis points of the converted amount. */
  readonly feeBps: number;
  /** Major units of the base currency (FX_BASE), as decimal text. */
  readonly feeFixed: string;
  /** Major units of the base currency, as decimal text: how large our open position may become. */
  readonly positionLimit?: string | undefined;
  /** How long past the end of its quote a payment may be sent first, in ms. */
  readonly graceMs: number;
}
