import { judgeAssetRates } from '../../../domain/payments/fx/asset-guard.ts';
import { lastTradedAt } from '../../../domain/payments/fx/market-hours.ts';
import { areApart, ratesOfSources } from '../../../domain/payments/fx/sources-apart.ts';
import { isStablecoin } from '../../../domain/money/currencies.ts';
import { LOCK_MS } from '../../../domain/payments/quotes/lock-times.ts';
import { lockMarkupBps } from '../../../domain/payments/quotes/lock-markup.ts';
import { DEPOSIT_FINAL_MAX_MS } from '../../../domain/payments/quotes/rate-held-until.ts';
import { Refusal } from '../../../domain/errors/refusal.ts';
import type { FxLeg } from '../../../domain/payments/fx/fx-leg.ts';
import { quoteTable } from '../../../domain/payments/fx/quote-table.ts';
import { hasAsset } from '../../../domain/payments/quotes/asset-markup.ts';
import { fixedFeeIn, isCharged } from '../../../domain/payments/quotes/quote-fees.ts';
import type { QuotePricing } from '../../../domain/payments/quotes/quote-pricing.ts';
import type { QuotePrice } from '../../../domain/payments/quotes/price-quote.ts';
import type { Environment } from '../../../domain/scope.ts';
import type { QuoteOrder } from './quote-order.ts';
import type { MoveOf } from './pair-moves.ts';
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
  readonly moveOf: MoveOf;
  readonly fields: { readonly currency: string };
}

/**
 * The rates that a quote needs, of the pair and, for a fixed fee, of its currency. A rate may be as old as it is when
 * its market closes: nobody has a newer one. Refuses with rate_unavailable where one is missing, in live where
 * one is stale or the sources of a pair of currencies are apart, and of a pair with an asset where sources are apart
 * or a stablecoin is off its peg.
 */
export function findQuoteRates(
  legs: readonly FxLeg[],
  order: Priced,
  { settings, environment, at, moveOf, fields }: RateCircumstances,
): QuoteRates {
  const { sourceCurrency, targetCurrency } = order;
  const { baseCurrency, rateMaxAgeMs: anyMaxAgeMs } = settings.fx;
  const pricing = settings.quotes[environment];
  const isOfAsset = hasAsset(order);
  const unavailable = () => rateUnavailable(fields.currency);
  if (!isOfAsset && !pricing.hasCurrencies) throw unavailable();
  const openAt = isOfAsset ? at : lastTradedAt(sourceCurrency, targetCurrency, at);
  const moment = { at: openAt, maxAgeMs: anyMaxAgeMs };
  const codes = [sourceCurrency, targetCurrency];
  if (isOfAsset && judgeAssetRates(legs, codes, moment) !== null) throw unavailable();
  const dailyMoveBps = moveOf(order);
  const pairRates = ratesOfSources(legs, { base: sourceCurrency, quote: targetCurrency }, moment);
  const isDisputed = !isOfAsset && areApart(pairRates, dailyMoveBps);
  const maxAgeMs = isOfAsset ? anyMaxAgeMs : (pricing.rateMaxAgeMs ?? anyMaxAgeMs);
  const [pair] = quoteTable(legs, {
    ...{ base: sourceCurrency, quotes: [targetCurrency], ...moment, maxAgeMs },
  }).rows;
  const feeFixed = isOfAsset ? '0' : pricing.feeFixed;
  const charged = quoteTable(legs, {
    ...{ base: baseCurrency, quotes: isCharged(feeFixed) ? [sourceCurrency] : [], ...moment },
  });
  const [feeRate] = charged.rows;
  const isStale = pair?.isStale === true || charged.isStale || isDisputed;
  if (pair === undefined || charged.missing.length > 0 || (isStale && environment === 'live')) {
    throw unavailable();
  }
  const fixedFee = feeRate === undefined ? 0n : fixedFeeIn(sourceCurrency, feeFixed, feeRate.rate);
  const markupBps = markupOf(order, pricing, { dailyMoveBps, rateAsOf: pair.asOf, at });
  const feeBps = isOfAsset ? 0 : pricing.feeBps;
  return {
    price: { midMarketRate: pair.rate, markupBps, feeBps, fixedFee },
    rateAsOf: pair.asOf,
    rateSource: pair.source,
    isStale,
  };
}

type Priced = Pick<QuoteOrder, 'sourceCurrency' | 'targetCurrency' | 'lockFor'>;

/**
 * What is taken of the rate: for currencies the operator's margin and the time that the rate is held, for an asset
 * the larger of the time and its markup, which is by the same time. Held is a rate from the moment in which it was
 * last traded to the last one in which its payment may be sent; with an asset, a deposit may have to become final.
 */
function markupOf(
  order: Priced,
  { markupBps, assetMarkupBps, lockMarkupPercent, graceMs }: QuotePricing,
  found: { readonly dailyMoveBps: number; readonly rateAsOf: Date; readonly at: Date },
): number {
  const { sourceCurrency, targetCurrency, lockFor } = order;
  const { dailyMoveBps, rateAsOf, at } = found;
  const traded = lastTradedAt(sourceCurrency, targetCurrency, rateAsOf);
  const ageMs = Math.max(0, at.getTime() - traded.getTime());
  const depositMs = isStablecoin(sourceCurrency) ? DEPOSIT_FINAL_MAX_MS : 0;
  const heldMs = ageMs + LOCK_MS[lockFor] + depositMs + graceMs;
  const ofTime = lockMarkupBps({ dailyMoveBps, heldMs }, lockMarkupPercent);
  const taken = hasAsset(order) ? Math.max(assetMarkupBps[lockFor], ofTime) : markupBps + ofTime;
  return Math.min(taken, MARKUP_MAX_BPS);
}

/** A rate stays above zero. */
const MARKUP_MAX_BPS = 9_999;

/** `path` is the JSON pointer of the currency that was asked for. */
export function rateUnavailable(path: string): Refusal {
  const message =
    'No current exchange rate between these currencies is available. Try again later.';
  const code = 'rate_unavailable';
  return new Refusal(code, message, [{ path, code, message }], { 'retry-after': '60' });
}
