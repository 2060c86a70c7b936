import type { ScopedTransaction } from '../db/database.ts';
import { findQuote, markQuoteConsumed, type QuoteRow } from '../db/quote-store.ts';
import { refuseField, type Refusal } from '../domain/errors/refusal.ts';
import type { Scope } from '../domain/scope.ts';

export interface QuoteUse {
  readonly quoteId: string;
  readonly paymentId: string;
  /** The time by which the quote must not have expired. */
  readonly at: Date;
}

/**
 * Uses a quote for a payment in the transaction that accepts it, and answers its terms. The row's lock
 * decides between several: of those that come at once one gets it, and the next one only where that
 * one's transaction comes to nothing. The payment's row must be there when the transaction commits.
 * Refuses with resource_not_found, quote_already_used or quote_expired.
 */
export async function consumeQuote(
  tx: ScopedTransaction,
  scope: Scope,
  use: QuoteUse,
): Promise<QuoteRow> {
  const consumed = await markQuoteConsumed(tx, scope, use);
  if (consumed !== null) return consumed;
  throw refuseUse(await findQuote(tx, scope, use.quoteId));
}

function refuseUse(quote: QuoteRow | null): Refusal {
  if (quote === null) {
    return refuseField('resource_not_found', '/quoteId', 'There is no such quote.');
  }
  if (quote.consumedAt !== null) {
    return refuseField('quote_already_used', '/quoteId', 'Another payment has used the quote.');
  }
  return refuseField('quote_expired', '/quoteId', 'The quote has expired.');
}
