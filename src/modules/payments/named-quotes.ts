import type { ScopedTransaction } from '../../db/client/database.ts';
import type { lockQuotes, QuoteRow } from '../../db/payments/quote-store.ts';
import type { Network } from '../../domain/onchain/network.ts';
import type { Scope } from '../../domain/scope.ts';
import { requireMatch } from './quotes/require-match.ts';
import { requireUsable } from './quotes/require-usable.ts';
import type { PaymentOrder } from './payment-order.ts';

/**
 * Finds (to accept: locks) the quotes that orders name and answers what gives an order its quote, once;
 * null for one that names none. It throws a Refusal where the quote cannot be the order's.
 */
export async function openNamedQuotes(
  tx: ScopedTransaction,
  scope: Scope,
  orders: readonly PaymentOrder[],
  at: Date,
  findQuotes: typeof lockQuotes,
): Promise<(order: PaymentOrder, network: Network | null) => QuoteRow | null> {
  const ids = [...new Set(orders.flatMap(({ quoteId }) => quoteId ?? []))];
  if (ids.length === 0) return () => null;
  const rows = await findQuotes(tx, scope, ids);
  const quotes = new Map(rows.map((row) => [row.id, row]));
  return (order, network) => {
    if (order.quoteId === null) return null;
    const quote = requireUsable(quotes.get(order.quoteId) ?? null, at);
    requireMatch(quote, order, network);
    quotes.set(quote.id, { ...quote, consumedAt: at });
    return quote;
  };
}
