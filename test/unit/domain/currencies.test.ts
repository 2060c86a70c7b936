import { describe, expect, it } from 'vitest';

import {
  currencyCodes,
  isCurrency,
  isStablecoin,
  minorDigits,
  stablecoinCodes,
} from '../../../src/domain/money/currencies.ts';

describe('currency table', () => {
  it('has the 165 active ISO 4217 codes that have a minor unit, each once, in order', () => {
    const codes = currencyCodes();
    expect(codes).toHaveLength(165);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes).toEqual([...codes].sort());
    expect(codes.every((code) => /^[A-Z]{3}$/.test(code))).toBe(true);
  });

  it.each([
    ['JPY', 0],
    ['UGX', 0],
    ['ISK', 0],
    ['USD', 2],
    ['HUF', 2],
    ['IQD', 3],
    ['KWD', 3],
    ['CLF', 4],
    ['UYW', 4],
    ['USDC', 6],
  ])('%s has %i decimals', (code, digits) => {
    expect(minorDigits(code)).toBe(digits);
  });

  it.each(['XAU', 'XTS', 'XXX', 'BGN', 'ANG', 'HRK', 'usd', 'US', '', 'toString', 'USDC'])(
    'does not take %j for an active ISO currency',
    (code) => {
      expect(isCurrency(code)).toBe(false);
    },
  );

  it('keeps stablecoins apart from currencies', () => {
    expect(stablecoinCodes()).toEqual(['EURC', 'USDC', 'USDT']);
    expect(isStablecoin('USDC')).toBe(true);
    expect(isStablecoin('USD')).toBe(false);
  });

  it('throws for an unknown code instead of guessing two decimals', () => {
    expect(() => minorDigits('XAU')).toThrow(RangeError);
    expect(() => minorDigits('__proto__')).toThrow(RangeError);
  });
});
