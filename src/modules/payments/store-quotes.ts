import type { ScopedTransaction } from '../../db/client/database.ts';
import { insertQuotes, markQuotesUsed } from '../../db/payments/quote-store.ts';
import type { Scope } from '../../domain/scope.ts';
import type { PricedOrder } from './price-orders.ts';

/** A payment of this transaction, and the quote that it was priced by. */
interface QuotedPayment extends Pick<PricedOrder, 'quote'> {
  readonly payment: { readonly id: string };
}

/** Writes that payments use their quotes: stored ones are marked, made ones stored. Nothing for plain ones. */
export async function storeQuotes(
  tx: ScopedTransaction,
  scope: Scope,
  payments: readonly QuotedPayment[],
  at: Date,
): Promise<void> {
  const used = payments.flatMap(({ payment, quote }) =>
    quote?.made === null ? [{ quoteId: quote.id, paymentId: payment.id }] : [],
  );
  const made = payments.flatMap(({ payment, quote }) =>
    quote?.made ? [{ ...quote.made, paymentId: payment.id }] : [],
  );
  if (used.length > 0) await markQuotesUsed(tx, scope, used, at);
  if (made.length > 0) await insertQuotes(tx, scope, made);
}
