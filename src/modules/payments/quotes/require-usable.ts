import type { QuoteRow } from '../../../db/payments/quote-store.ts';
import { refuseField } from '../../../domain/errors/refusal.ts';

/**
 * The quote, where a payment may use it at that time. The caller holds its row, and null stands for none
 * in the scope. Refuses with resource_not_found, quote_already_used or quote_expired.
 */
export function requireUsable(quote: QuoteRow | null, at: Date): QuoteRow {
  if (quote === null) {
    throw refuseField('resource_not_found', '/quoteId', 'The quote does not exist.');
  }
  if (quote.consumedAt !== null) {
    throw refuseField(
      'quote_already_used',
      '/quoteId',
      'Another payment already used the quote. Read `paymentId` of the quote before you create a new quote.',
    );
  }
  if (quote.expiresAt <= at) {
    throw refuseField('quote_expired', '/quoteId', 'The quote has expired. Create a new quote.');
  }
  return quote;
}
