import type { ScopedTransaction } from '../db/database.ts';
import { lockQuotes, type NewQuote } from '../db/quote-store.ts';
import { priceOrder, type OrderPrice } from '../domain/payments/price-order.ts';
import type { Scope } from '../domain/scope.ts';
import type { PricingSettings } from '../quotes/pricing-settings.ts';
import type { PaymentOrder } from './payment-order.ts';
import { openAutomaticQuotes } from './quote-automatically.ts';
import { openNamedQuotes } from './named-quotes.ts';
import { settled, valueOf } from './settled.ts';

/** An order whose parties agree, and the corridor that it takes. */
export interface CheckedOrder {
  readonly order: PaymentOrder;
  readonly rail: string;
  readonly country: string;
}

/** A price, and the quote that it came from. */
export interface PricedOrder<Checked extends CheckedOrder = CheckedOrder> {
  readonly checked: Checked;
  readonly price: OrderPrice;
  /** `made` is null for one that is stored, and else to be stored with the payment. */
  readonly quote: { readonly id: string; readonly made: NewQuote | null } | null;
}

/**
 * What orders of one scope cost, each by itself; outcomes in their order, those of refused ones as they
 * were. Quotes that they name are locked
 * until the transaction ends, and one that two of them name is the first one's. An order from another
 * currency's balance without a quote is quoted from the stored rates. Plain ones ask the database nothing.
 * Refuses with resource_not_found, quote_already_used, quote_expired, quote_mismatch, rate_unavailable and
 * amount_above_maximum.
 */
export async function priceOrders<Checked extends CheckedOrder>(
  settings: PricingSettings,
  tx: ScopedTransaction,
  scope: Scope,
  checked: readonly PromiseSettledResult<Checked>[],
  at: Date,
  findQuotes = lockQuotes,
): Promise<PromiseSettledResult<PricedOrder<Checked>>[]> {
  const orders = checked.flatMap((one) => (one.status === 'fulfilled' ? [one.value.order] : []));
  const takeNamed = await openNamedQuotes(tx, scope, orders, at, findQuotes);
  const makeQuote = await openAutomaticQuotes(settings, tx, scope, orders, at);
  const quoteOf = (order: PaymentOrder) => {
    const named = takeNamed(order);
    if (named !== null) return { terms: named, made: null };
    const made = makeQuote(order);
    return made && { terms: made, made };
  };
  return checked.map((outcome) =>
    settled(() => {
      const one = valueOf(outcome);
      const { order, rail, country } = one;
      const quote = quoteOf(order);
      const price = priceOrder(
        { ...order, environment: scope.environment, rail, country },
        { schedule: settings.fees, quote: quote?.terms ?? null },
      );
      return { checked: one, price, quote: quote && { id: quote.terms.id, made: quote.made } };
    }),
  );
}
