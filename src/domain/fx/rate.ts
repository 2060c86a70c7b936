import Big from 'big.js';

import { splitDecimal } from '../money/decimal-text.ts';

/**
 * Decimal arithmetic for rates, apart from everybody else's Big: 40 decimals in a division, so that
 * a cross rate is rounded once, where it is written; strict, so that no double can get in.
 */
const RateDecimal = Big();
RateDecimal.DP = 40;
RateDecimal.RM = 2 satisfies Big.RoundingMode; // half even
RateDecimal.strict = true;

export type Rate = Big;

/** A rate is written with at most this many decimals. */
export const RATE_FRACTION_DIGITS_MAX = 12;

/** The exact rate 1, to multiply from. */
export const UNIT_RATE: Rate = new RateDecimal('1');

// Longer texts are no rates, and arithmetic on them would not be cheap.
const RATE_TEXT_LENGTH_MAX = 60;

/** Reads a plain positive decimal ("1.0845"); null for anything else, zero and exponents included. */
export function parseRate(text: string): Rate | null {
  if (text.length > RATE_TEXT_LENGTH_MAX || splitDecimal(text) === null) return null;
  const rate = new RateDecimal(text);
  return rate.gt('0') ? rate : null;
}

/**
 * Plain decimal text: no exponent, half-even at the 12th decimal, trailing zeros stripped. Throws
 * RangeError for what is not positive or too small to be written so: "0" would be a wrong rate.
 */
export function formatRate(rate: Rate): string {
  const rounded = rate.round(RATE_FRACTION_DIGITS_MAX, 2);
  if (!rounded.gt('0')) throw new RangeError('a rate must be positive at its last decimal');
  return rounded.toFixed();
}
