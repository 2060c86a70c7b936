import { splitDecimal } from '../../money/decimal-text.ts';
import { minorDigits } from '../../money/currencies.ts';
import { divideRounded } from '../../money/rounding.ts';

const WHOLE_BPS = 10_000n;

interface Fees {
  readonly feeBps: number;
  /** Minor units of the source currency. */
  readonly fixedFee: bigint;
}

/** The percentage fee of a converted amount, in its minor units, rounded up. */
export function feesFor(convertedAmount: bigint, { feeBps }: Pick<Fees, 'feeBps'>): bigint {
  return divideRounded(convertedAmount * BigInt(feeBps), WHOLE_BPS, 'up');
}

/**
 * The most that can be converted out of `paid` once both fees are taken, in minor units; zero or less
 * where they leave nothing. What is left over is the percentage fee: rounded up, and at most one unit
 * above the one of the same amount asked for from the other side.
 */
export function largestConverted(paid: bigint, { feeBps, fixedFee }: Fees): bigint {
  const rest = paid - fixedFee;
  return rest <= 0n ? 0n : (rest * WHOLE_BPS) / (WHOLE_BPS + BigInt(feeBps));
}

/**
 * The fixed fee in minor units of the source currency, rounded up. `rate` is units of the source for
 * one of the base; both are decimal text. Throws RangeError where one of them is none.
 */
export function fixedFeeIn(sourceCurrency: string, feeFixed: string, rate: string): bigint {
  const fee = splitDecimal(feeFixed);
  const factor = splitDecimal(rate);
  if (fee === null || factor === null) throw new RangeError('a fixed fee must be decimal text');
  const digits = BigInt(fee.whole + fee.fraction) * BigInt(factor.whole + factor.fraction);
  const decimals = fee.fraction.length + factor.fraction.length;
  const scale = 10n ** BigInt(minorDigits(sourceCurrency));
  return divideRounded(digits * scale, 10n ** BigInt(decimals), 'up');
}

/** Does a fixed fee of this text cost anything? */
export const isCharged = (feeFixed: string): boolean => /[1-9]/.test(feeFixed);
