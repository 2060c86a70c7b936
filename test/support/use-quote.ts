import type { ScopedTransaction } from '../../src/db/client/database.ts';
import {
  findQuote,
  lockQuotes,
  markQuotesUsed,
  type QuoteRow,
} from '../../src/db/payments/quote-store.ts';
import type { Scope } from '../../src/domain/scope.ts';
import { requireUsable } from '../../src/modules/payments/quotes/require-usable.ts';

/** Uses a quote for a payment as accepting one does, whatever the payment is of. */
export async function useQuote(
  tx: ScopedTransaction,
  scope: Scope,
  { quoteId, paymentId, at }: { quoteId: string; paymentId: string; at: Date },
): Promise<QuoteRow> {
  const [quote] = await lockQuotes(tx, scope, [quoteId]);
  requireUsable(quote ?? null, at);
  await markQuotesUsed(tx, scope, [{ quoteId, paymentId }], at);
  const used = await findQuote(tx, scope, quoteId);
  if (used === null) throw new Error(`the quote ${quoteId} is gone`);
  return used;
}
