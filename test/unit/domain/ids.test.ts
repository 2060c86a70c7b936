import { typeid } from 'typeid-js';
import { describe, expect, it } from 'vitest';
import { ID_PREFIXES, isId } from '../../../src/domain/ids.ts';

describe('isId', () => {
  it('accepts what the TypeID library makes, for every prefix', () => {
    for (const prefix of Object.values(ID_PREFIXES)) {
      expect(isId(prefix, typeid(prefix).toString())).toBe(true);
    }
  });

  it('has every prefix once', () => {
    const prefixes = Object.values(ID_PREFIXES);
    expect(new Set(prefixes).size).toBe(prefixes.length);
  });

  it.each([
    'eu_01k6b7q3mve8bssz8h5x4g2d9r',
    'pay_81k6b7q3mve8bssz8h5x4g2d9r',
    'pay_01K6B7Q3MVE8BSSZ8H5X4G2D9R',
    'pay_01k6b7q3mve8bssz8h5x4g2d9',
    'pay_01k6b7q3mve8bssz8h5x4g2d9rr',
    'pay_01k6b7q3mve8bssz8h5x4g2d9i',
    'pay_01k6b7q3mve8bssz8h5x4g2d9r\n',
    'pay_',
    '',
  ])('refuses %j as a payment id', (text) => {
    expect(isId('pay', text)).toBe(false);
  });
});
