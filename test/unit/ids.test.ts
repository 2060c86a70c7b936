import fc from 'fast-check';
import { typeid } from 'typeid-js';
import { describe, expect, it } from 'vitest';

import { bankReference, idPrefixes, isId, parseBankReference } from '../../src/domain/ids.ts';

const paymentId = 'pay_01k6b7q3mve8bssz8h5x4g2d9r';

describe('isId', () => {
  it('accepts what the TypeID library makes, for every prefix', () => {
    for (const prefix of Object.values(idPrefixes)) {
      expect(isId(prefix, typeid(prefix).toString())).toBe(true);
    }
  });

  it('has every prefix once', () => {
    const prefixes = Object.values(idPrefixes);
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

describe('bank reference', () => {
  it('has thirty characters that every rail lets through', () => {
    expect(bankReference(paymentId, 1)).toBe('CW01K6B7Q3MVE8BSSZ8H5X4G2D9R01');
    expect(bankReference(paymentId, 99)).toMatch(/^[A-Z0-9]{30}$/);
  });

  it('leads back to its payment and attempt, in either case', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99 }), (attempt) => {
        const id = typeid('pay').toString();
        const reference = bankReference(id, attempt);
        expect(parseBankReference(reference)).toEqual({ paymentId: id, attempt });
        expect(parseBankReference(reference.toLowerCase())).toEqual({ paymentId: id, attempt });
      }),
    );
  });

  it.each([0, 100, 1.5, Number.NaN, -1])('refuses attempt %s', (attempt) => {
    expect(() => bankReference(paymentId, attempt)).toThrow(RangeError);
  });

  it('refuses an id that is not a payment', () => {
    expect(() => bankReference('eu_01k6b7q3mve8bssz8h5x4g2d9r', 1)).toThrow(RangeError);
  });

  it.each([
    'CW01K6B7Q3MVE8BSSZ8H5X4G2D9R00',
    'CW81K6B7Q3MVE8BSSZ8H5X4G2D9R01',
    'CW01K6B7Q3MVE8BSSZ8H5X4G2D9I01',
    'XX01K6B7Q3MVE8BSSZ8H5X4G2D9R01',
    'CW01K6B7Q3MVE8BSSZ8H5X4G2D9R1',
    'NOTPROVIDED',
    '',
  ])('does not take %j for one of ours', (reference) => {
    expect(parseBankReference(reference)).toBeNull();
  });
});
