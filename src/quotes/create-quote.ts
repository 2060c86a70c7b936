import type { ScopedTransaction } from '../db/database.ts';
import { readRates } from '../db/fx-rate-store.ts';
import { newId } from '../db/new-id.ts';
import { insertQuote, type QuoteRow } from '../db/quote-store.ts';
import type { Clock } from '../domain/clock.ts';
import { refuseField } from '../domain/errors/refusal.ts';
import { ID_PREFIXES } from '../domain/ids.ts';
import { isBelowAmountLimit } from '../domain/money/amount.ts';
import { expiryOf } from '../domain/quotes/lock-times.ts';
import { priceQuote, type QuoteTerms } from '../domain/quotes/price-quote.ts';
import type { Scope } from '../domain/scope.ts';
import type { QuoteOrder } from './quote-order.ts';
import { findQuoteRates } from './quote-rates.ts';
import type { QuoteSettings } from './quote-settings.ts';

/**
 * Makes a quote from the stored rates; no network inside. Emits no event. Refuses with
 * rate_unavailable, with amount_below_minimum where nothing would arrive, and with
 * amount_above_maximum where the side that was worked out reaches 10^12.
 */
export async function createQuote(
  deps: { readonly clock: Clock; readonly settings: QuoteSettings },
  tx: ScopedTransaction,
  scope: Scope,
  order: QuoteOrder,
): Promise<QuoteRow> {
  const legs = await readRates(tx);
  const at = deps.clock.now();
  const { environment } = scope;
  const { price, ...rates } = findQuoteRates(legs, order, { ...deps, environment, at });
  const { sourceCurrency, targetCurrency, fixedSide, lockFor } = order;
  return insertQuote(tx, scope, {
    ...{ id: newId(ID_PREFIXES.quote), sourceCurrency, targetCurrency, fixedSide, lockFor },
    ...requirePayable(order, priceQuote(order, price)),
    ...rates,
    createdAt: at,
    expiresAt: expiryOf(at, lockFor),
  });
}

function requirePayable(order: QuoteOrder, terms: QuoteTerms | null): QuoteTerms {
  if (terms === null) {
    const message = 'After fees and conversion nothing would arrive.';
    throw refuseField('amount_below_minimum', '/sourceAmount', message);
  }
  const { sourceCurrency, targetCurrency, fixedSide } = order;
  const isInLimit =
    isBelowAmountLimit(terms.sourceAmount, sourceCurrency) &&
    isBelowAmountLimit(terms.targetAmount, targetCurrency);
  if (!isInLimit) {
    const path = fixedSide === 'SOURCE' ? '/sourceAmount' : '/targetAmount';
    const message = 'The other side of the quote would be 10^12 or more.';
    throw refuseField('amount_above_maximum', path, message);
  }
  return terms;
}
