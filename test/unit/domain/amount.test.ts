import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { formatAmount, magicMinorPart, parseAmount } from '../../../src/domain/money/amount.ts';
import { normaliseDecimal } from '../../../src/domain/money/decimal-text.ts';
import {
  currencyCodes,
  minorDigits,
  stablecoinCodes,
} from '../../../src/domain/money/currencies.ts';

const anyCurrency = fc.constantFrom(...currencyCodes(), ...stablecoinCodes());

describe('parseAmount', () => {
  it.each([
    ['10', 'USD', 1000n],
    ['10.5', 'USD', 1050n],
    ['10.00', 'USD', 1000n],
    ['0.01', 'USD', 1n],
    ['1000', 'JPY', 1000n],
    ['1.000', 'KWD', 1000n],
    ['0.000001', 'USDC', 1n],
    ['999999999999.99', 'USD', 99999999999999n],
  ])('reads %s %s', (text, currency, minor) => {
    expect(parseAmount(text, currency)).toEqual({ ok: true, minor });
  });

  it.each(
    '01|00|00.5|.5|5.|-1|+1|1e3|1E3|1,000|1 000| 1|1 |1\n|1_000|0x10|Infinity|NaN||.|1.2.3|١|10.0€'.split(
      '|',
    ),
  )('refuses the form of %j', (text) => {
    expect(parseAmount(text, 'USD')).toEqual({ ok: false, problem: 'format' });
  });

  it.each([
    ['10.000', 'USD', 'too_precise'],
    ['0.000', 'USD', 'too_precise'],
    ['1.0', 'JPY', 'too_precise'],
    ['1.0000', 'KWD', 'too_precise'],
    ['0', 'USD', 'not_positive'],
    ['0.00', 'USD', 'not_positive'],
    ['1000000000000', 'USD', 'too_large'],
    ['9'.repeat(60_000), 'USD', 'too_large'],
  ])('refuses %s %s as %s', (text, currency, problem) => {
    expect(parseAmount(text, currency)).toEqual({ ok: false, problem });
  });

  it('throws for an unknown currency', () => {
    expect(() => parseAmount('1', 'XAU')).toThrow(RangeError);
  });

  it('gives back what was written, for every currency and every amount below the limit', () => {
    fc.assert(
      fc.property(anyCurrency, fc.bigInt({ min: 1n, max: 10n ** 18n - 1n }), (currency, number) => {
        const minor = (number % (10n ** BigInt(12 + minorDigits(currency)) - 1n)) + 1n;
        expect(parseAmount(formatAmount(minor, currency), currency)).toEqual({ ok: true, minor });
      }),
    );
  });

  it('never goes through a double: 0.1 + 0.2 and neighbours of 2^53 stay exact', () => {
    expect(parseAmount('0.3', 'USD')).toEqual({ ok: true, minor: 30n });
    expect(parseAmount('9007199254.740993', 'USDC')).toEqual({ ok: true, minor: 2n ** 53n + 1n });
  });

  it('answers any text at all without throwing', () => {
    fc.assert(
      fc.property(fc.string(), anyCurrency, (text, currency) => {
        const parsed = parseAmount(text, currency);
        if (parsed.ok) expect(parsed.minor > 0n).toBe(true);
      }),
    );
  });
});

describe('formatAmount', () => {
  it.each([
    [1n, 'USD', '0.01'],
    [-1n, 'USD', '-0.01'],
    [0n, 'USD', '0.00'],
    [0n, 'JPY', '0'],
    [-1050n, 'JPY', '-1050'],
    [1010n, 'KWD', '1.010'],
    [1n, 'USDC', '0.000001'],
    [10n ** 30n, 'USD', `1${'0'.repeat(28)}.00`],
  ])('writes %s minor units of %s as %s', (minor, currency, text) => {
    expect(formatAmount(minor, currency)).toBe(text);
  });
});

describe('magicMinorPart', () => {
  it.each([
    ['10.01', 'USD', 1],
    ['10.00', 'USD', 0],
    ['10.99', 'EUR', 99],
    ['1.010', 'KWD', 1],
    ['1.015', 'KWD', null],
    ['101', 'JPY', 1],
    ['7', 'JPY', 7],
    ['1.0100', 'CLF', 1],
    ['1.0101', 'CLF', null],
    ['1.010000', 'USDC', 1],
    ['1.010001', 'USDC', null],
  ])('%s %s has %s', (text, currency, part) => {
    const parsed = parseAmount(text, currency);
    expect(parsed.ok && magicMinorPart(parsed.minor, currency)).toBe(part);
  });
});

describe('normaliseDecimal', () => {
  it.each([
    ['10', '10'],
    ['10.0', '10'],
    ['10.00', '10'],
    ['10.50', '10.5'],
    ['100', '100'],
    ['0.00', '0'],
    ['0.10', '0.1'],
  ])('writes %s as %s', (text, canonical) => {
    expect(normaliseDecimal(text)).toBe(canonical);
  });

  it.each(['1e1', '-1.0', '01.0', '.50', '5.', 'ten', '', ' 1.0'])('leaves %j alone', (text) => {
    expect(normaliseDecimal(text)).toBe(text);
  });

  it('gives equal values one form and different values different ones', () => {
    const decimal = fc.tuple(fc.nat(), fc.nat(999), fc.nat(3));
    fc.assert(
      fc.property(decimal, decimal, ([wholeA, partA, zerosA], [wholeB, partB, zerosB]) => {
        const write = (whole: number, part: number, zeros: number): string =>
          `${String(whole)}.${String(part).padStart(3, '0')}${'0'.repeat(zeros)}`;
        const same = wholeA === wholeB && partA === partB;
        const a = normaliseDecimal(write(wholeA, partA, zerosA));
        expect(a === normaliseDecimal(write(wholeB, partB, zerosB))).toBe(same);
        expect(normaliseDecimal(a)).toBe(a);
      }),
    );
  });

  it('takes time in proportion to a hostile row of zeros', () => {
    const text = `1.${'0'.repeat(2_000_000)}1`;
    expect(normaliseDecimal(text)).toBe(text);
  });
});
