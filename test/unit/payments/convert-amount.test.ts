import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  sourceAmountFor,
  targetAmountFor,
} from '../../../src/domain/payments/fx/convert-amount.ts';

const usdToEur = { sourceCurrency: 'USD', targetCurrency: 'EUR', rate: '0.8' };

describe('conversion', () => {
  it.each([
    [80n, usdToEur, 100n],
    [81n, usdToEur, 102n],
    [1n, usdToEur, 2n],
    [1n, { ...usdToEur, rate: '1' }, 1n],
    [150_000n, { sourceCurrency: 'USD', targetCurrency: 'JPY', rate: '150' }, 100_000n],
    [100_000n, { sourceCurrency: 'JPY', targetCurrency: 'USD', rate: '0.0066' }, 151_516n],
    [1_000n, { sourceCurrency: 'USD', targetCurrency: 'KWD', rate: '0.305123456789' }, 328n],
  ])('of %i wanted minor units by %j costs %i, rounded up', (target, conversion, source) => {
    expect(sourceAmountFor(target, conversion)).toBe(source);
  });

  it('gives what arrives for what is paid, rounded down', () => {
    expect(targetAmountFor(101n, usdToEur)).toBe(80n);
    expect(targetAmountFor(100n, usdToEur)).toBe(80n);
  });

  it('always takes enough, and never a minor unit more than enough', () => {
    const currency = fc.constantFrom('USD', 'JPY', 'KWD', 'CLF', 'USDC');
    const rate = fc.bigInt({ min: 1n, max: 10n ** 17n }).map((digits) => {
      const text = digits.toString().padStart(13, '0');
      return `${String(BigInt(text.slice(0, -12)))}.${text.slice(-12)}`;
    });
    const target = fc.bigInt({ min: 1n, max: 10n ** 18n });
    fc.assert(
      fc.property(
        currency,
        currency,
        rate,
        target,
        (sourceCurrency, targetCurrency, text, wanted) => {
          const conversion = { sourceCurrency, targetCurrency, rate: text };
          const paid = sourceAmountFor(wanted, conversion);
          expect(targetAmountFor(paid, conversion) >= wanted).toBe(true);
          expect(targetAmountFor(paid - 1n, conversion) < wanted).toBe(true);
        },
      ),
    );
  });

  it.each(['0', '0.000', '-1', '1e2', ''])('refuses %j as a rate', (rate) => {
    expect(() => sourceAmountFor(1n, { ...usdToEur, rate })).toThrow(RangeError);
  });
});
