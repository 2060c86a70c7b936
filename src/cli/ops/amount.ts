import { formatAmount } from '../../domain/money/amount.ts';

/** In major units, with its currency. */
export const amountOf = (of: { readonly amount: bigint; readonly currency: string }): string =>
  `${formatAmount(of.amount, of.currency)} ${of.currency}`;
