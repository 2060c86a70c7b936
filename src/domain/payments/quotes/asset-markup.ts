import { isStablecoin } from '../../money/currencies.ts';
import type { LockTime } from './lock-times.ts';

/** Basis points by which the rate of a quote with an asset lies below the middle, by how long it is held. */
export type AssetMarkup = Readonly<Record<LockTime, number>>;

/** The longer a rate is held, the further it may move against us: what is taken unless it is set. */
export const ASSET_MARKUP_BPS: AssetMarkup = { '1m': 10, '5m': 20, '15m': 35, '1h': 60 };

/** What a quote is between: codes of currencies or assets. */
export interface QuotedPair {
  readonly sourceCurrency: string;
  readonly targetCurrency: string;
}

/** Is a side of it an asset? Such a quote has prices and guards of its own. */
export const hasAsset = (pair: QuotedPair): boolean =>
  isStablecoin(pair.sourceCurrency) || isStablecoin(pair.targetCurrency);
