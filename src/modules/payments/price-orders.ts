import type { ScopedTransaction } from '../../db/client/database.ts';
import { lockQuotes, readQuotes } from '../../db/payments/quote-store.ts';
import { networkOf, railOf } from '../../domain/payments/payment-destination.ts';
import { refuseField } from '../../domain/errors/refusal.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import { priceOrder, totalOf, type OrderPrice } from '../../domain/payments/price-order.ts';
import { rateHeldUntil } from '../../domain/payments/quotes/rate-held-until.ts';
import { requoteEnd } from '../../domain/payments/quotes/requote-end.ts';
import type { Scope } from '../../domain/scope.ts';
import type { PricingSettings } from './quotes/pricing-settings.ts';
import type { OrderCheck, OrderPricing, OrderRoute } from './order-check.ts';
import type { PaymentOrder } from './payment-order.ts';
import { openAutomaticQuotes } from './quote-automatically.ts';
import { openNamedQuotes } from './named-quotes.ts';
import { settleSync } from './settle-sync.ts';

/**
 * What orders of one scope cost, each by itself; outcomes in their order. To accept, quotes that they name are locked
 * until the transaction ends; one that two of them name is the first one's. An order from another
 * currency's or asset's balance without a quote is quoted from the stored rates. Plain ones ask the database nothing.
 * Refuses with resource_not_found, quote_already_used, quote_expired, quote_mismatch, rate_unavailable,
 * amount_above_maximum, and, below its own maximum, amount_below_minimum.
 */
export async function priceOrders(
  settings: PricingSettings,
  tx: ScopedTransaction,
  scope: Scope,
  checks: readonly Pick<OrderCheck, 'order' | 'route'>[],
  at: Date,
  isToAccept = true,
): Promise<PromiseSettledResult<OrderPricing>[]> {
  const orders = checks.map(({ order }) => order);
  const findQuotes = isToAccept ? lockQuotes : readQuotes;
  const takeNamed = await openNamedQuotes(tx, scope, orders, at, findQuotes);
  const makeQuote = await openAutomaticQuotes(settings, tx, scope, orders, { at, isToAccept });
  const quoteOf = (order: PaymentOrder, route: OrderRoute) => {
    const named = takeNamed(order, route.destination && networkOf(route.destination));
    if (named !== null) return { terms: named, made: null };
    const made = makeQuote(order, route);
    return made && { terms: made, made };
  };
  const { graceMs } = settings.quotes[scope.environment];
  return checks.map(({ order, route }) =>
    settleSync(() => {
      const quote = quoteOf(order, route);
      const { destination, country } = route;
      const price = priceOrder(
        {
          ...{ environment: scope.environment, rail: destination && railOf(destination), country },
          ...{ currency: order.unit, amount: order.amount },
        },
        { schedule: settings.fees, quote: quote?.terms ?? null },
      );
      if (quote === null) return { price, quote };
      requireBelowMaximum(order, price);
      const { id, expiresAt } = quote.terms;
      const heldUntil = rateHeldUntil(quote.terms, { isFunded: order.funding !== null, graceMs });
      const requoteUntil = order.maxSourceAmount === null ? null : requoteEnd(heldUntil);
      const terms = { id, expiresAt, made: quote.made, rateHeldUntil: heldUntil, requoteUntil };
      return { price, quote: terms };
    }),
  );
}

/** Refuses with amount_below_minimum an order whose own maximum is below what it costs now. */
function requireBelowMaximum({ maxSourceAmount }: PaymentOrder, price: OrderPrice): void {
  const { currency } = price.source;
  const total = totalOf(price);
  if (maxSourceAmount === null || maxSourceAmount >= total) return;
  const least = `${formatAmount(total, currency)} ${currency}`;
  throw refuseField(
    'amount_below_minimum',
    '/maxSourceAmount',
    `The maximum must be at least what the payment costs now: ${least}.`,
  );
}
