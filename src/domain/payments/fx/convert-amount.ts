import { minorDigits } from '../../money/currencies.ts';
import { splitDecimal } from '../../money/decimal-text.ts';
import { divideRounded } from '../../money/rounding.ts';

/**
 * `rate` is written as in a quote: units of the target currency for one unit of the source currency,
 * plain decimal text. The arithmetic is exact, in integers, with one rounding at its end.
 */
interface Conversion {
  readonly sourceCurrency: string;
  readonly targetCurrency: string;
  readonly rate: string;
}

/**
 * What the customer pays, in the source's minor units, so that `targetMinor` arrives. Rounded up:
 * rounding down would pay out more than was taken. Throws RangeError for a rate that is none.
 */
export function sourceAmountFor(targetMinor: bigint, conversion: Conversion): bigint {
  const { rateDigits, scale } = scaledRate(conversion);
  return divideRounded(targetMinor * scale.source, rateDigits * scale.target, 'up');
}

/**
 * What arrives, in the target's minor units, for `sourceMinor`. Rounded down: rounding up would pay
 * out more than was taken. Throws RangeError for a rate that is none.
 */
export function targetAmountFor(sourceMinor: bigint, conversion: Conversion): bigint {
  const { rateDigits, scale } = scaledRate(conversion);
  return divideRounded(sourceMinor * rateDigits * scale.target, scale.source, 'down');
}

function scaledRate({ sourceCurrency, targetCurrency, rate }: Conversion) {
  const parts = splitDecimal(rate);
  const rateDigits = parts === null ? 0n : BigInt(parts.whole + parts.fraction);
  if (parts === null || rateDigits === 0n) throw new RangeError('not a positive decimal rate');
  return {
    rateDigits,
    scale: {
      source: 10n ** BigInt(minorDigits(sourceCurrency) + parts.fraction.length),
      target: 10n ** BigInt(minorDigits(targetCurrency)),
    },
  };
}
