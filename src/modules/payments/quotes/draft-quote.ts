import { newId } from '../../../db/client/new-id.ts';
import type { NewQuote } from '../../../db/payments/quote-store.ts';
import { refuseField } from '../../../domain/errors/refusal.ts';
import type { FxLeg } from '../../../domain/payments/fx/fx-leg.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import { isBelowAmountLimit } from '../../../domain/money/amount.ts';
import { hasAsset } from '../../../domain/payments/quotes/asset-markup.ts';
import { expiryOf } from '../../../domain/payments/quotes/lock-times.ts';
import { priceAssetQuote } from '../../../domain/payments/quotes/price-asset-quote.ts';
import {
  priceQuote,
  type QuotePrice,
  type QuoteTerms,
} from '../../../domain/payments/quotes/price-quote.ts';
import type { Environment } from '../../../domain/scope.ts';
import type { QuoteOrder } from './quote-order.ts';
import type { PricingSettings } from './pricing-settings.ts';
import type { MoveOf } from './pair-moves.ts';
import { findQuoteRates } from './quote-rates.ts';

export interface QuoteCircumstances {
  readonly settings: PricingSettings;
  readonly environment: Environment;
  readonly at: Date;
  readonly moveOf: MoveOf;
  /** Where the caller's body says what a refusal points at, as JSON pointers. */
  readonly fields: {
    readonly currency: string;
    /** The amount that is kept. */
    readonly amount: string;
  };
}

/**
 * A quote as it would be made at a time from these rates; it is not stored. Refuses with rate_unavailable,
 * with amount_below_minimum where nothing would arrive, and with amount_above_maximum where the side that
 * was worked out reaches 10^12.
 */
export function draftQuote(
  legs: readonly FxLeg[],
  order: QuoteOrder,
  circumstances: QuoteCircumstances,
): NewQuote {
  const { at, fields } = circumstances;
  const { price, ...rates } = findQuoteRates(legs, order, circumstances);
  const { sourceCurrency, targetCurrency, network, fixedSide, lockFor } = order;
  return {
    ...{ id: newId(ID_PREFIXES.quote), sourceCurrency, targetCurrency, fixedSide, lockFor },
    ...{ network, ...requirePayable(order, termsOf(order, price, circumstances), fields.amount) },
    ...rates,
    createdAt: at,
    expiresAt: expiryOf(at, lockFor),
  };
}

function termsOf(
  order: QuoteOrder,
  price: QuotePrice,
  { settings, environment }: QuoteCircumstances,
): QuoteTerms | null {
  if (!hasAsset(order)) return priceQuote(order, price);
  const { midMarketRate, markupBps } = price;
  // Where no payment is known yet, neither is the rail that pays a currency out: the payment adds what it costs.
  const { rail, country } = order.paidOut ?? { rail: order.network, country: null };
  const charged = { environment, rail, country };
  return priceAssetQuote(order, { midMarketRate, markupBps }, (amount) =>
    settings.fees.feesOf({ ...charged, currency: order.sourceCurrency, amount }),
  );
}

function requirePayable(order: QuoteOrder, terms: QuoteTerms | null, path: string): QuoteTerms {
  if (terms === null) {
    const message = 'Nothing remains of the amount after fees and conversion. Increase the amount.';
    throw refuseField('amount_below_minimum', path, message);
  }
  const { sourceCurrency, targetCurrency } = order;
  const isInLimit =
    isBelowAmountLimit(terms.sourceAmount, sourceCurrency) &&
    isBelowAmountLimit(terms.targetAmount, targetCurrency);
  if (!isInLimit) {
    const message = 'The other side of the quote would be 10^12 or more. Reduce the amount.';
    throw refuseField('amount_above_maximum', path, message);
  }
  return terms;
}
