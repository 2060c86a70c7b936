import type { PaymentFee } from '../fees/payment-fee.ts';
import { sourceAmountFor, targetAmountFor } from '../fx/convert-amount.ts';
import { customerRate } from './customer-rate.ts';
import { feesFor, largestConverted } from './quote-fees.ts';

/** The side of a quote that is asked for, and kept to the last digit. */
export type QuoteSide = 'SOURCE' | 'TARGET';

/** Either side may be in an asset. */
export interface QuoteRequest {
  readonly sourceCurrency: string;
  readonly targetCurrency: string;
  readonly fixedSide: QuoteSide;
  /** Minor units of the fixed side's currency. */
  readonly amount: bigint;
}

export interface QuotePrice {
  /** Units of the target for one of the source, as published. */
  readonly midMarketRate: string;
  readonly markupBps: number;
  readonly feeBps: number;
  /** Minor units of the source currency. */
  readonly fixedFee: bigint;
}

/** Amounts in minor units. `sourceAmount` is `convertedAmount` and all fees, to the last unit. */
export interface QuoteTerms extends QuotePrice {
  readonly rate: string;
  readonly sourceAmount: bigint;
  readonly convertedAmount: bigint;
  readonly targetAmount: bigint;
  readonly percentageFee: bigint;
  /** Beside those two, in the source; none of a quote between two currencies. */
  readonly fees: readonly PaymentFee[];
}

/**
 * Works out the side of a quote between two currencies that was not asked for. Every rounding is in our favour, by less than a minor
 * unit each: what the customer pays goes up, what the beneficiary gets goes down, and so does the
 * rate. Null where nothing would arrive: the fees eat up what is paid, or it is worth less than the
 * target's smallest unit.
 */
export function priceQuote(request: QuoteRequest, price: QuotePrice): QuoteTerms | null {
  const { sourceCurrency, targetCurrency, fixedSide, amount } = request;
  const rate = customerRate(price.midMarketRate, price.markupBps);
  const conversion = { sourceCurrency, targetCurrency, rate };
  if (fixedSide === 'TARGET') {
    const convertedAmount = sourceAmountFor(amount, conversion);
    const percentageFee = feesFor(convertedAmount, price);
    const sourceAmount = convertedAmount + price.fixedFee + percentageFee;
    return {
      ...{ ...price, rate, sourceAmount, convertedAmount, targetAmount: amount, percentageFee },
      fees: [],
    };
  }
  const convertedAmount = largestConverted(amount, price);
  if (convertedAmount <= 0n) return null;
  const percentageFee = amount - price.fixedFee - convertedAmount;
  const targetAmount = targetAmountFor(convertedAmount, conversion);
  if (targetAmount <= 0n) return null;
  return {
    ...{ ...price, rate, sourceAmount: amount, convertedAmount, targetAmount, percentageFee },
    fees: [],
  };
}
