import { Refusal } from '../domain/errors/refusal.ts';
import type { FxLeg } from '../domain/fx/fx-leg.ts';
import { quoteTable } from '../domain/fx/quote-table.ts';
import { fixedFeeIn, isCharged } from '../domain/quotes/quote-fees.ts';
import type { QuotePrice } from '../domain/quotes/price-quote.ts';
import type { Environment } from '../domain/scope.ts';
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
 * rate_unavailable where one is missing, and in live where one is stale.
 */
export function findQuoteRates(
  legs: readonly FxLeg[],
  order: Pick<QuoteOrder, 'sourceCurrency' | 'targetCurrency'>,
  { settings, environment, at, fields }: RateCircumstances,
): QuoteRates {
  const { sourceCurrency, targetCurrency } = order;
  const { baseCurrency, rateMaxAgeMs: maxAgeMs } = settings.fx;
  const { markupBps, feeBps, feeFixed } = settings.quotes[environment];
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

/** `path` is the JSON pointer of the currency that was asked for. */
export function rateUnavailable(path: string): Refusal {
  const message = 'No fresh exchange rate between these currencies is at hand now.';
  const details = [{ path, code: 'rate_unavailable', message }];
  return new Refusal('rate_unavailable', message, details, { 'retry-after': '60' });
}
