import type { ScopedTransaction } from '../../db/client/database.ts';
import { lockQuotes, type NewQuote } from '../../db/payments/quote-store.ts';
import { priceOrder, type OrderPrice } from '../../domain/payments/price-order.ts';
import type { Scope } from '../../domain/scope.ts';
import type { PricingSettings } from './quotes/pricing-settings.ts';
import type { PaymentOrder } from './payment-order.ts';
import { openAutomaticQuotes } from './quote-automatically.ts';
import { openNamedQuotes } from './named-quotes.ts';
import { settleSync } from './settle-sync.ts';

/** An order for an amount that its account or wallet can be paid, and the way that it would take. */
export interface CostlyOrder {
  readonly order: PaymentOrder;
  /** Of a wallet its network. */
  readonly rail: string;
  readonly country: string;
}

/** A price, and the quote that it came from. */
export interface PricedOrder {
  readonly price: OrderPrice;
  /** `made` is null for one that is stored, and else to be stored with the payment. */
  readonly quote: {
    readonly id: string;
    readonly expiresAt: Date;
    readonly made: NewQuote | null;
  } | null;
}

/**
 * What orders of one scope cost, each by itself; outcomes in their order. Quotes that they name are locked
 * until the transaction ends, and one that two of them name is the first one's. An order from another
 * currency's or asset's balance without a quote is quoted from the stored rates. Plain ones ask the database nothing.
 * Refuses with resource_not_found, quote_already_used, quote_expired, quote_mismatch, rate_unavailable and
 * amount_above_maximum.
 */
export async function priceOrders(
  settings: PricingSettings,
  tx: ScopedTransaction,
  scope: Scope,
  costly: readonly CostlyOrder[],
  at: Date,
  findQuotes = lockQuotes,
): Promise<PromiseSettledResult<PricedOrder>[]> {
  const orders = costly.map(({ order }) => order);
  const takeNamed = await openNamedQuotes(tx, scope, orders, at, findQuotes);
  const makeQuote = await openAutomaticQuotes(settings, tx, scope, orders, at);
  const quoteOf = (order: PaymentOrder, rail: string) => {
    const named = takeNamed(order, rail);
    if (named !== null) return { terms: named, made: null };
    const made = makeQuote(order, rail);
    return made && { terms: made, made };
  };
  return costly.map(({ order, rail, country }) =>
    settleSync(() => {
      const quote = quoteOf(order, rail);
      const price = priceOrder(
        { ...order, environment: scope.environment, rail, country },
        { schedule: settings.fees, quote: quote?.terms ?? null },
      );
      if (quote === null) return { price, quote };
      const { id, expiresAt } = quote.terms;
      return { price, quote: { id, expiresAt, made: quote.made } };
    }),
  );
}
