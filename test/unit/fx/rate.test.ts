import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { medianRate } from '../../../src/domain/fx/median.ts';
import { formatRate, parseRate } from '../../../src/domain/fx/rate.ts';
import type { Rate } from '../../../src/domain/fx/rate.ts';

function rateOf(text: string): Rate {
  const rate = parseRate(text);
  if (rate === null) throw new Error(`${text} should be a rate`);
  return rate;
}

describe('rates', () => {
  it.each([
    ['1.0845', '1.0845'],
    ['1.08450', '1.0845'],
    ['100.000', '100'],
    ['0.000000000001', '0.000000000001'],
    ['26250.12345678', '26250.12345678'],
    ['123456789012345678.5', '123456789012345678.5'],
    ['0.1234567890125', '0.123456789012'],
    ['0.1234567890135', '0.123456789014'],
  ])('%s is written as %s', (text, written) => {
    expect(formatRate(rateOf(text))).toBe(written);
  });

  it.each(['0', '0.0', '-1', '1e3', 'NaN', '', '1,1', ' 1', '.5', `1.${'1'.repeat(60)}`])(
    '%j is no rate',
    (text) => {
      expect(parseRate(text)).toBeNull();
    },
  );

  it('are never written as zero', () => {
    expect(() => formatRate(rateOf('0.0000000000001'))).toThrow(RangeError);
  });

  it('cannot be made from a double', () => {
    expect(() => rateOf('1').times(0.1)).toThrow();
  });

  it('come back from their own text unchanged', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 24n }), (digits) => {
        const padded = digits.toString().padStart(13, '0');
        const text = formatRate(
          rateOf(`${padded.slice(0, -12).replace(/^0+(?=.)/, '')}.${padded.slice(-12)}`),
        );
        expect(formatRate(rateOf(text))).toBe(text);
        expect(text).toMatch(/^(0|[1-9][0-9]*)(\.[0-9]{0,11}[1-9])?$/);
      }),
    );
  });
});

describe('medianRate', () => {
  it.each([
    [['1'], '1'],
    [['1', '3'], '2'],
    [['900', '1.1', '1.0'], '1.1'],
    [['1', '2', '4', '100'], '3'],
  ])('of %j is %s', (rates, median) => {
    expect(formatRate(medianRate(rates.map(rateOf)))).toBe(median);
  });
});
