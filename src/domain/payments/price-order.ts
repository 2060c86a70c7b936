import type { ChargedPayment, FeeSchedule } from './fees/fee-schedule.ts';
import { sumFees, type PaymentFee } from './fees/payment-fee.ts';
import type { Money } from '../ledger/movements.ts';
import type { QuoteTerms } from './quotes/price-quote.ts';

/** What a payment costs the balance that pays it. */
export interface OrderPrice {
  /** What pays the beneficiary, without fees: the same as the order's, or what is converted into it. */
  readonly source: Money;
  /** Units of the order's currency for one of the source's; null where nothing is converted. */
  readonly rate: string | null;
  /** In the source currency, on top of `source`. */
  readonly fees: readonly PaymentFee[];
}

/** A quote's two currencies, or assets, and its terms. */
export interface QuotedTerms extends QuoteTerms {
  readonly sourceCurrency: string;
  readonly targetCurrency: string;
}

/**
 * The price of an order: by the quote where its balance is in another currency, else by the operator's
 * schedule of fees. A quote has its fees in itself, and the schedule does not come on top. Throws
 * RangeError for a quote of another amount or currency than the order's.
 */
export function priceOrder(
  order: ChargedPayment,
  by: { readonly schedule: FeeSchedule; readonly quote: QuotedTerms | null },
): OrderPrice {
  const { currency, amount } = order;
  const { schedule, quote } = by;
  if (quote === null) {
    return { source: { currency, minor: amount }, rate: null, fees: schedule.feesOf(order) };
  }
  if (quote.targetCurrency !== currency || quote.targetAmount !== amount) {
    throw new RangeError('a quote prices the order that it was made for');
  }
  return priceOfQuote(quote);
}

/** What a payment by a quote costs. */
export const priceOfQuote = (quote: QuotedTerms): OrderPrice => ({
  source: { currency: quote.sourceCurrency, minor: quote.convertedAmount },
  rate: quote.rate,
  fees: feesOfQuote(quote),
});

/** All that is taken from the balance, in minor units of the source currency. */
export const totalOf = ({ source, fees }: OrderPrice): bigint => source.minor + sumFees(fees);

/** The fees that are in a quote; those of nothing are left out. */
export function feesOfQuote({ fixedFee, percentageFee, feeBps, fees }: QuoteTerms): PaymentFee[] {
  const all: PaymentFee[] = [
    { type: 'FIXED', amount: fixedFee.toString(), bps: null },
    { type: 'PERCENTAGE', amount: percentageFee.toString(), bps: feeBps },
    ...fees,
  ];
  return all.filter(({ amount }) => amount !== '0');
}
