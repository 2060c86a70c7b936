import type { ChargedPayment, FeeSchedule } from './fees/fee-schedule.ts';
import { sumFees, type PaymentFee } from './fees/payment-fee.ts';
import type { Money } from '../ledger/movements.ts';
import { isStablecoin } from '../money/currencies.ts';
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
  /** Where an asset shall arrive; null of a quote to a currency, whose rail is not known yet. */
  readonly network: string | null;
}

/**
 * The price of an order: by the quote where its balance is in another currency, else by the operator's
 * schedule of fees. A quote has its fees in itself; what the order's rail costs beyond them comes on top,
 * because a quote to a currency does not know the rail. Throws RangeError for a quote of another amount or
 * currency than the order's.
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
  return {
    source: { currency: quote.sourceCurrency, minor: quote.convertedAmount },
    rate: quote.rate,
    fees: feesAtRail(order, schedule, quote),
  };
}

/** The fees of a quote, each raised to what the schedule charges on the order's rail, and those that only the rail has. */
function feesAtRail(order: ChargedPayment, schedule: FeeSchedule, quote: QuotedTerms) {
  const quoted = feesOfQuote(quote);
  if (quote.network !== null) return quoted;
  const { sourceCurrency: currency, convertedAmount: amount } = quote;
  // FIXED and PERCENTAGE are the service's fees between two currencies.
  const due = schedule
    .feesOf({ ...order, currency, amount })
    .filter(({ type }) => type === 'RAIL' || (type === 'SERVICE' && isStablecoin(currency)));
  const raised = quoted.map((fee) => {
    const atRail = due.find(({ type }) => type === fee.type);
    return atRail !== undefined && BigInt(atRail.amount) > BigInt(fee.amount) ? atRail : fee;
  });
  return [...raised, ...due.filter(({ type }) => quoted.every((fee) => fee.type !== type))];
}

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
