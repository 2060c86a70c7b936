import { splitDecimal, withoutTrailingZeros } from '../money/decimal-text.ts';

/** The most decimals ISO 20022 allows (ActiveOrHistoricCurrencyAnd13DecimalAmount). */
export const fractionDigitsMax = 13;

/**
 * A plain decimal as a whole number of 10^-13, so that statement amounts add up exactly in any
 * currency, also in one that is unknown here. Throws RangeError for other text.
 */
export function toUnits(text: string): bigint {
  const parts = splitDecimal(text);
  if (parts === null || parts.fraction.length > fractionDigitsMax) {
    throw new RangeError('not a plain decimal of at most 13 decimals');
  }
  return BigInt(parts.whole + parts.fraction.padEnd(fractionDigitsMax, '0'));
}

/** The plain decimal of so many 10^-13, "-" before negative ones, no trailing zeros. */
export function fromUnits(units: bigint): string {
  const text = (units < 0n ? -units : units).toString().padStart(fractionDigitsMax + 1, '0');
  const fraction = withoutTrailingZeros(text.slice(-fractionDigitsMax));
  const whole = text.slice(0, -fractionDigitsMax);
  return (units < 0n ? '-' : '') + (fraction === '' ? whole : `${whole}.${fraction}`);
}
