import type { QuotedTerms } from '../domain/payments/price-order.ts';
import { Refusal, type Problem } from '../domain/errors/refusal.ts';
import { formatAmount } from '../domain/money/amount.ts';

/** What an order says that its quote says too. The amount is in minor units. */
export interface QuotedOrder {
  readonly amount: bigint;
  readonly currency: string;
  readonly sourceCurrency: string | null;
}

/** Refuses with quote_mismatch an order that is not what the quote was made for, naming every field. */
export function requireMatch(quote: QuotedTerms, order: QuotedOrder): void {
  const { sourceCurrency: source, targetCurrency: target } = quote;
  const isSameTarget = order.currency === target;
  const problems: Problem[] = [
    ...(isSameTarget ? [] : [mismatch('/currency', { quoted: target })]),
    // An amount in another currency compares with nothing.
    ...(!isSameTarget || order.amount === quote.targetAmount
      ? []
      : [
          mismatch('/amount', {
            quoted: formatAmount(quote.targetAmount, target),
            currency: target,
          }),
        ]),
    ...(order.sourceCurrency === null || order.sourceCurrency === source
      ? []
      : [mismatch('/sourceCurrency', { quoted: source })]),
  ];
  if (problems.length > 0) {
    throw new Refusal('quote_mismatch', 'The quote was made for another payment.', problems);
  }
}

const mismatch = (path: string, meta: Readonly<Record<string, string>>): Problem => ({
  ...{ path, code: 'quote_mismatch', meta },
  message: 'It must be what was quoted.',
});
