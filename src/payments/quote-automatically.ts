import type { ScopedTransaction } from '../db/database.ts';
import { readRates } from '../db/fx-rate-store.ts';
import type { NewQuote } from '../db/quote-store.ts';
import type { Scope } from '../domain/scope.ts';
import { draftQuote } from '../quotes/draft-quote.ts';
import { openFxLimit } from '../quotes/fx-limit.ts';
import type { QuoteSettings } from '../quotes/quote-settings.ts';
import type { PaymentOrder } from './payment-order.ts';

/** The shortest lock: such a quote is used in the moment that it is made. */
const LOCK_FOR = '1m';

const FIELDS = { currency: '/sourceCurrency', amount: '/amount' };

/** The balance that pays, where it is another one and the order names no quote; else null. */
export function currencyToQuote(order: PaymentOrder): string | null {
  const { quoteId, sourceCurrency, currency } = order;
  return quoteId !== null || sourceCurrency === currency ? null : sourceCurrency;
}

/**
 * Reads the rates and answers what makes the quote of an order that names none, its target side kept; null
 * for one that needs none. It throws a Refusal where there is no quote to be had.
 */
export async function openAutomaticQuotes(
  settings: QuoteSettings,
  tx: ScopedTransaction,
  scope: Scope,
  orders: readonly PaymentOrder[],
  at: Date,
): Promise<(order: PaymentOrder) => NewQuote | null> {
  if (orders.every((order) => currencyToQuote(order) === null)) return () => null;
  const legs = await readRates(tx);
  const circumstances = { settings, environment: scope.environment, at, fields: FIELDS };
  const limit = await openFxLimit(tx, scope, legs, circumstances);
  return (order) => {
    const sourceCurrency = currencyToQuote(order);
    if (sourceCurrency === null) return null;
    const { currency: targetCurrency, amount } = order;
    const asked = { sourceCurrency, targetCurrency, fixedSide: 'TARGET', amount } as const;
    const draft = draftQuote(legs, { ...asked, lockFor: LOCK_FOR }, circumstances);
    limit.take(draft);
    return draft;
  };
}
