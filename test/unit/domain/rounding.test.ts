import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { divideRounded } from '../../../src/domain/money/rounding.ts';

describe('divideRounded', () => {
  it.each([
    [7n, 2n, 'up', 4n],
    [7n, 2n, 'down', 3n],
    [7n, 2n, 'half_even', 4n],
    [5n, 2n, 'half_even', 2n],
    [8n, 3n, 'half_even', 3n],
    [7n, 3n, 'half_even', 2n],
    [6n, 2n, 'up', 3n],
    [0n, 3n, 'up', 0n],
  ] as const)('%i / %i %s is %i', (numerator, denominator, rounding, quotient) => {
    expect(divideRounded(numerator, denominator, rounding)).toBe(quotient);
  });

  it('stays within one unit of the exact quotient, on the named side', () => {
    const positive = fc.bigInt({ min: 1n, max: 10n ** 40n });
    fc.assert(
      fc.property(positive, positive, (numerator, denominator) => {
        const up = divideRounded(numerator, denominator, 'up');
        const down = divideRounded(numerator, denominator, 'down');
        const even = divideRounded(numerator, denominator, 'half_even');
        expect(down * denominator <= numerator && up * denominator >= numerator).toBe(true);
        expect(up - down <= 1n && even >= down && even <= up).toBe(true);
      }),
    );
  });

  it('refuses what it has no direction for', () => {
    expect(() => divideRounded(-1n, 2n, 'up')).toThrow(RangeError);
    expect(() => divideRounded(1n, 0n, 'up')).toThrow(RangeError);
  });
});
