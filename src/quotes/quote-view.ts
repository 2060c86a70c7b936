import type { QuoteRow } from '../db/quote-store.ts';
import { formatAmount } from '../domain/money/amount.ts';
import { quoteStatusAt } from '../domain/quotes/quote-status.ts';

const FEE_WORDS = {
  FIXED: 'Fixed fee of a conversion',
  PERCENTAGE: 'Share of the converted amount',
} as const;

/** A quote as the API shows it at a time. Fees of nothing are left out. */
export function viewQuote(row: QuoteRow, now: Date) {
  const { sourceCurrency: currency } = row;
  const fee = (type: keyof typeof FEE_WORDS, amount: bigint, bps: number | null) => ({
    ...{ type, amount: formatAmount(amount, currency), currency, bps },
    description: FEE_WORDS[type],
  });
  return {
    id: row.id,
    status: quoteStatusAt(now, row),
    sourceCurrency: currency,
    targetCurrency: row.targetCurrency,
    fixedSide: row.fixedSide,
    sourceAmount: formatAmount(row.sourceAmount, currency),
    convertedAmount: formatAmount(row.convertedAmount, currency),
    targetAmount: formatAmount(row.targetAmount, row.targetCurrency),
    midMarketRate: row.midMarketRate,
    rate: row.rate,
    markupBps: row.markupBps,
    fees: [
      ...(row.fixedFee > 0n ? [fee('FIXED', row.fixedFee, null)] : []),
      ...(row.percentageFee > 0n ? [fee('PERCENTAGE', row.percentageFee, row.feeBps)] : []),
    ],
    rateAsOf: row.rateAsOf.toISOString(),
    rateSource: row.rateSource,
    stale: row.isStale,
    lockFor: row.lockFor,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    consumedAt: row.consumedAt?.toISOString() ?? null,
    paymentId: row.paymentId,
  };
}
