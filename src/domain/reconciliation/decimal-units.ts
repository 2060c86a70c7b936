import { splitDecimal, withoutTrailingZeros } from '../money/decimal-text.ts';

/** The most decimals ISO 20022 allows (ActiveOrHistoricCurrencyAnd13DecimalAmount). */
export const FRACTION_DIGITS_MAX = 13;

/**
 * A plain decimal as a whole number of 10^-13, so that statement amounts add up exactly in any
 * currency, also in one that is unknown here. Throws RangeError for other text.
 */
export function toUnits(text: string): bigint {
  const parts = splitDecimal(text);
  if (parts === null || parts.fraction.length > FRACTION_DIGITS_MAX) {
    throw new RangeError('not a plain decimal of at most 13 decimals');
  }
  return BigInt(parts.whole + parts.fraction.padEnd(FRACTION_DIGITS_MAX, '0'));
}

/** The plain decimal of so many 10^-13, "-" before negative ones, no trailing zeros. */
export function fromUnits(units: bigint): string {
  const text = (units < 0n ? -units : units).toString().padStart(FRACTION_DIGITS_MAX + 1, '0');
  const fraction = withoutTrailingZeros(text.slice(-FRACTION_DIGITS_MAX));
  const whole = text.slice(0, -FRACTION_DIGITS_MAX);
  return (units < 0n ? '-' : '') + (fraction === '' ? whole : `${whole}.${fraction}`);
}
