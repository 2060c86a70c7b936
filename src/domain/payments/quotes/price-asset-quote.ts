import { mostBeforeFees } from '../fees/most-before-fees.ts';
import { sumFees, type PaymentFee } from '../fees/payment-fee.ts';
import { sourceAmountFor, targetAmountFor } from '../fx/convert-amount.ts';
import { customerRate } from './customer-rate.ts';
import type { QuotePrice, QuoteRequest, QuoteTerms } from './price-quote.ts';

/**
 * The fees of so much that is converted, both in minor units of the source; of more they are never less.
 */
export type FeesOfConverted = (convertedAmount: bigint) => readonly PaymentFee[];

/**
 * Works out the side of a quote with an asset that was not asked for. The source is rounded up, the target
 * down. What is converted is always the least that buys the target, so that of a source that is kept the
 * rest stands by itself, as a fee ROUNDING. Null where nothing would arrive.
 */
export function priceAssetQuote(
  request: QuoteRequest,
  price: Pick<QuotePrice, 'midMarketRate' | 'markupBps'>,
  feesOf: FeesOfConverted,
): QuoteTerms | null {
  const { sourceCurrency, targetCurrency, fixedSide, amount } = request;
  const rate = customerRate(price.midMarketRate, price.markupBps);
  const conversion = { sourceCurrency, targetCurrency, rate };
  const terms = { ...price, ...NO_OTHER_FEES, rate };
  if (fixedSide === 'TARGET') {
    const convertedAmount = sourceAmountFor(amount, conversion);
    const fees = feesOf(convertedAmount);
    const sourceAmount = convertedAmount + sumFees(fees);
    return { ...terms, sourceAmount, convertedAmount, targetAmount: amount, fees };
  }
  const targetAmount = targetAmountFor(mostBeforeFees(amount, feesOf), conversion);
  if (targetAmount <= 0n) return null;
  const convertedAmount = sourceAmountFor(targetAmount, conversion);
  const fees = feesOf(convertedAmount);
  const rest = amount - convertedAmount - sumFees(fees);
  return {
    ...{ ...terms, sourceAmount: amount, convertedAmount, targetAmount },
    fees: rest === 0n ? fees : [...fees, { type: 'ROUNDING', amount: rest.toString(), bps: null }],
  };
}

const NO_OTHER_FEES = { feeBps: 0, fixedFee: 0n, percentageFee: 0n } as const;
