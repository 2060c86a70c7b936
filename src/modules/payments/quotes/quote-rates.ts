import { judgeAssetRates } from '../../../domain/payments/fx/asset-guard.ts';
import { Refusal } from '../../../domain/errors/refusal.ts';
import type { FxLeg } from '../../../domain/payments/fx/fx-leg.ts';
import { quoteTable } from '../../../domain/payments/fx/quote-table.ts';
import { hasAsset } from '../../../domain/payments/quotes/asset-markup.ts';
import { fixedFeeIn, isCharged } from '../../../domain/payments/quotes/quote-fees.ts';
import type { QuotePricing } from '../../../domain/payments/quotes/quote-pricing.ts';
import type { QuotePrice } from '../../../domain/payments/quotes/price-quote.ts';
import type { Environment } from '../../../domain/scope.ts';
import type { QuoteOrder } from './quote-order.ts';
import type { QuoteSettings } from './quote-settings.ts';

/** The price of a quote, and what it was made from. */
export interface QuoteRates {
  readonly price: QuotePrice;
  /** The oldest contributing rate's own time. */
  readonly rateAsOf: Date;
  readonly rateSource: string;
  readonly isStale: boolean;
}

interface RateCircumstances {
  readonly settings: QuoteSettings;
  readonly environment: Environment;
  readonly at: Date;
  readonly fields: { readonly currency: string };
}

/**
 * The rates that a quote needs, of the pair and, for a fixed fee, of its currency. Refuses with
 * rate_unavailable where one is missing, in live where one is stale, and of a pair with an asset where
 * sources are apart or a stablecoin is off its peg.
 */
export function findQuoteRates(
  legs: readonly FxLeg[],
  order: Pick<QuoteOrder, 'sourceCurrency' | 'targetCurrency' | 'lockFor'>,
  { settings, environment, at, fields }: RateCircumstances,
): QuoteRates {
  const { sourceCurrency, targetCurrency } = order;
  const { baseCurrency, rateMaxAgeMs: maxAgeMs } = settings.fx;
  const codes = [sourceCurrency, targetCurrency];
  if (hasAsset(order) && judgeAssetRates(legs, codes, { at, maxAgeMs }) !== null) {
    throw rateUnavailable(fields.currency);
  }
  const { markupBps, feeBps, feeFixed } = pricingOf(settings.quotes[environment], order);
  const [pair] = quoteTable(legs, {
    ...{ base: sourceCurrency, quotes: [targetCurrency], at, maxAgeMs },
  }).rows;
  const charged = quoteTable(legs, {
    ...{ base: baseCurrency, quotes: isCharged(feeFixed) ? [sourceCurrency] : [], at, maxAgeMs },
  });
  const [feeRate] = charged.rows;
  const isStale = pair?.isStale === true || charged.isStale;
  if (pair === undefined || charged.missing.length > 0 || (isStale && environment === 'live')) {
    throw rateUnavailable(fields.currency);
  }
  const fixedFee = feeRate === undefined ? 0n : fixedFeeIn(sourceCurrency, feeFixed, feeRate.rate);
  return {
    price: { midMarketRate: pair.rate, markupBps, feeBps, fixedFee },
    rateAsOf: pair.asOf,
    rateSource: pair.source,
    isStale,
  };
}

/** A quote with an asset is charged by the schedule, and its markup is by how long it holds. */
function pricingOf(
  { assetMarkupBps, ...pricing }: QuotePricing,
  order: Pick<QuoteOrder, 'sourceCurrency' | 'targetCurrency' | 'lockFor'>,
): Pick<QuotePricing, 'markupBps' | 'feeBps' | 'feeFixed'> {
  if (!hasAsset(order)) return pricing;
  return { markupBps: assetMarkupBps[order.lockFor], feeBps: 0, feeFixed: '0' };
}

/** `path` is the JSON pointer of the currency that was asked for. */
export function rateUnavailable(path: string): Refusal {
  const message =
    'No current exchange rate between these currencies is available. Try again later.';
  const code = 'rate_unavailable';
  return new Refusal(code, message, [{ path, code, message }], { 'retry-after': '60' });
}
