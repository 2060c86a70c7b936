import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { medianRate } from '../../../src/domain/payments/fx/median.ts';
import { formatRate, parseRate, plainRateText } from '../../../src/domain/payments/fx/rate.ts';
import type { Rate } from '../../../src/domain/payments/fx/rate.ts';

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
    ['0.000000001', '0.000000001'],
    ['26250.12345678', '26250.12345678'],
    ['123456789012345678.5', '123456789012345678'],
    ['1234567890123456789.5', '1234567890123456790'],
    ['1.000000000000000005', '1'],
    ['1.000000000000000015', '1.00000000000000002'],
    ['0.1234567890123456785', '0.123456789012345678'],
    ['0.0000000123456789012345675', '0.000000012345678901234568'],
  ])('%s is written as %s: 18 digits that count, 24 decimals at the most', (text, written) => {
    expect(formatRate(rateOf(text))).toBe(written);
  });

  it.each(['0', '0.0', '-1', '1e3', 'NaN', '', '1,1', ' 1', '.5', `1.${'1'.repeat(60)}`])(
    '%j is no rate',
    (text) => {
      expect(parseRate(text)).toBeNull();
    },
  );

  it('are written with 15 digits that count at least, or not at all', () => {
    expect(() => formatRate(rateOf('0.000000000999'))).toThrow(RangeError);
    expect(formatRate(rateOf('0.00000000123456789012345'))).toBe('0.00000000123456789012345');
  });

  it('cannot be made from a double', () => {
    expect(() => rateOf('1').times(0.1)).toThrow();
  });

  it('come back from their own text unchanged', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 10n ** 15n, max: 10n ** 36n }), (digits) => {
        const padded = digits.toString().padStart(25, '0');
        const text = formatRate(
          rateOf(`${padded.slice(0, -24).replace(/^0+(?=.)/, '')}.${padded.slice(-24)}`),
        );
        expect(formatRate(rateOf(text))).toBe(text);
        expect(text).toMatch(/^(0|[1-9][0-9]*)(\.[0-9]{0,23}[1-9])?$/);
        expect(text.replace(/^0?\.?0*|\./g, '').length).toBeLessThanOrEqual(18);
      }),
    );
  });

  it('a customer gets never rises above what it is rounded from', () => {
    const rate = rateOf('0.1234567890123456789');
    expect(formatRate(rate, 'down')).toBe('0.123456789012345678');
    expect(formatRate(rate)).toBe('0.123456789012345679');
  });

  it.each([
    ['2.5e-05', '0.000025'],
    ['1.23E+3', '1230'],
    ['0.88', '0.88'],
    ['1e999', null],
    ['-1e-2', null],
    ['0e0', null],
    ['1e', null],
    ['NaN', null],
    [`${'9'.repeat(70)}e1`, null],
  ])('%s of a JSON number is %s', (text, plain) => {
    expect(plainRateText(text)).toBe(plain);
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
