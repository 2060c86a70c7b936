import Big from 'big.js';

import { splitDecimal } from '../../money/decimal-text.ts';

/**
 * Decimal arithmetic for rates, apart from the Big of other modules: 40 decimals in a division, so that
 * a cross rate is rounded once, where it is written; strict, so that no double can get in.
 */
const RateDecimal = Big();
RateDecimal.DP = 40;
RateDecimal.RM = 2 satisfies Big.RoundingMode; // half even
RateDecimal.strict = true;

export type Rate = Big;

/** A rate is written with at most this many decimals. */
const RATE_FRACTION_DIGITS_MAX = 24;
/** And with this many digits that count, from the first that is not zero on; more before the point. */
const SIGNIFICANT_DIGITS = 18;
/** Below it fewer than 15 of them would fit: no rate that can be written. */
const SMALLEST_RATE = new RateDecimal('0.000000001');

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

/** Can it be written with the digits that a rate must have? */
export const isWritableRate = (rate: Rate): boolean => rate.gte(SMALLEST_RATE);

/**
 * Plain decimal text: no exponent, 18 significant digits within 24 decimals, trailing zeros stripped.
 * Rounded half-even where no one pays for it, down where a customer does. Throws RangeError for what
 * is less than 10^-9, of which too few digits would be left.
 */
export function formatRate(rate: Rate, rounding: 'half_even' | 'down' = 'half_even'): string {
  if (!isWritableRate(rate)) throw new RangeError('a rate must be at least 10^-9');
  const decimals = SIGNIFICANT_DIGITS - 1 - rate.e;
  const shown = Math.min(Math.max(decimals, 0), RATE_FRACTION_DIGITS_MAX);
  return rate.round(shown, rounding === 'down' ? 0 : 2).toFixed();
}

/** By how many percent one differs from the other, alike in both directions: halving is 100 percent. */
export function movePercent(before: Rate, after: Rate): Rate {
  const ratio = after.gt(before) ? after.div(before) : before.div(after);
  return ratio.minus('1').times('100');
}

/** Reads a limit in percent. Throws RangeError for what is not a positive decimal. */
export function percentOf(text: string): Rate {
  const percent = parseRate(text);
  if (percent === null) throw new RangeError('a limit in percent must be a positive decimal');
  return percent;
}

// 2.5e-05 is how some writers put a small number; more than two digits are no rate's exponent.
const WITH_EXPONENT = /^[0-9]{1,40}(\.[0-9]{1,40})?[eE][+-]?[0-9]{1,2}$/;

/** Plain positive decimal text of a number that may have an exponent, exactly; null for anything else. */
export function plainRateText(text: string): string | null {
  const isShort = text.length <= RATE_TEXT_LENGTH_MAX;
  const plain = isShort && WITH_EXPONENT.test(text) ? new RateDecimal(text).toFixed() : text;
  return parseRate(plain) === null ? null : plain;
}
