import type { QuotedTerms } from '../../../domain/payments/price-order.ts';
import { Refusal, type Problem } from '../../../domain/errors/refusal.ts';
import { formatAmount } from '../../../domain/money/amount.ts';
import { isStablecoin } from '../../../domain/money/currencies.ts';
import type { Network } from '../../../domain/onchain/network.ts';
import { unitOf } from '../../../domain/money/unit-of.ts';
import type { PaymentOrder } from '../payment-order.ts';

/**
 * Refuses with quote_mismatch an order that is not what the quote was made for, naming every field. `network` is
 * the wallet's; null to a bank account.
 */
export function requireMatch(
  quote: QuotedTerms,
  order: Pick<PaymentOrder, 'amount' | 'unit' | 'sourceUnit'>,
  network: Network | null,
): void {
  const { sourceCurrency: source, targetCurrency: target } = quote;
  const isSameTarget = order.unit === target;
  const problems: Problem[] = [
    ...(isSameTarget ? [] : [mismatch(fieldOf('currency', order.unit), { quoted: target })]),
    // An amount in another currency compares with nothing.
    ...(!isSameTarget || order.amount === quote.targetAmount
      ? []
      : [
          mismatch('/amount', {
            quoted: formatAmount(quote.targetAmount, target),
            ...unitOf(target),
          }),
        ]),
    ...(order.sourceUnit === null || order.sourceUnit === source
      ? []
      : [mismatch(fieldOf('sourceCurrency', order.sourceUnit), { quoted: source })]),
    ...(!isSameTarget || quote.network === null || quote.network === network
      ? []
      : [mismatch('/walletId', { quoted: quote.network })]),
  ];
  if (problems.length > 0) {
    throw new Refusal(
      'quote_mismatch',
      'The payment does not match the quote. `details` names the fields.',
      problems,
    );
  }
}

/** The field that names a code: another one for an asset. */
const fieldOf = (name: 'currency' | 'sourceCurrency', code: string): string => {
  if (!isStablecoin(code)) return `/${name}`;
  return name === 'currency' ? '/asset' : '/sourceAsset';
};

const mismatch = (path: string, meta: Readonly<Record<string, string>>): Problem => ({
  ...{ path, code: 'quote_mismatch', meta },
  message: 'The value must match the quote.',
});
