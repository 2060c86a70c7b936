import type { QuoteRow } from '../../../db/payments/quote-store.ts';
import { isRateOfClosedMarket } from '../../../domain/payments/fx/market-hours.ts';
import { formatAmount } from '../../../domain/money/amount.ts';
import { isStablecoin } from '../../../domain/money/currencies.ts';
import { feesOfQuote } from '../../../domain/payments/price-order.ts';
import { quoteStatusAt } from '../../../domain/payments/quotes/quote-status.ts';
import { viewFee } from './fee-view.ts';

/** A quote as the API shows it at a time. Fees of nothing are left out. */
export function viewQuote(row: QuoteRow, now: Date) {
  const { sourceCurrency: currency, targetCurrency } = row;
  return {
    id: row.id,
    status: quoteStatusAt(now, row),
    ...(isStablecoin(currency) ? { sourceAsset: currency } : { sourceCurrency: currency }),
    ...(isStablecoin(targetCurrency) ? { targetAsset: targetCurrency } : { targetCurrency }),
    ...(row.network !== null && { network: row.network }),
    fixedSide: row.fixedSide,
    sourceAmount: formatAmount(row.sourceAmount, currency),
    convertedAmount: formatAmount(row.convertedAmount, currency),
    targetAmount: formatAmount(row.targetAmount, targetCurrency),
    midMarketRate: row.midMarketRate,
    rate: row.rate,
    markupBps: row.markupBps,
    fees: feesOfQuote(row).map((fee) => viewFee(fee, currency)),
    rateAsOf: row.rateAsOf.toISOString(),
    rateSource: row.rateSource,
    stale: row.isStale,
    marketClosed: isRateOfClosedMarket(currency, targetCurrency, {
      asOf: row.rateAsOf,
      at: row.createdAt,
    }),
    lockFor: row.lockFor,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    consumedAt: row.consumedAt?.toISOString() ?? null,
    paymentId: row.paymentId,
  };
}
