/** Which way a division that does not come out even goes; every caller names its own. */
type Rounding = 'up' | 'down' | 'half_even';

/**
 * Divides non-negative integers exactly, then rounds as named. Throws RangeError for a negative
 * numerator or a denominator that is not positive: "up" would be ambiguous there.
 */
export function divideRounded(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  if (numerator < 0n || denominator <= 0n) throw new RangeError('division outside its domain');
  const quotient = numerator / denominator;
  const rest = numerator % denominator;
  if (rest === 0n || rounding === 'down') return quotient;
  if (rounding === 'up') return quotient + 1n;
  const twice = rest * 2n;
  if (twice === denominator) return quotient % 2n === 0n ? quotient : quotient + 1n;
  return twice > denominator ? quotient + 1n : quotient;
}
