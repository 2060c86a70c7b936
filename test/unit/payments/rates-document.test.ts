import { describe, expect, it } from 'vitest';

import { FxSourceError } from '../../../src/domain/payments/fx/fx-source.ts';
import { createHttpSource } from '../../../src/adapters/fx/http-source.ts';
import { readRatesDocument } from '../../../src/adapters/fx/rates-document.ts';

const text = JSON.stringify({
  asOf: '2026-09-29T12:00:00Z',
  rates: [
    { base: 'USDC', quote: 'USD', rate: '0.99990' },
    { base: 'EURC', quote: 'EUR', rate: 1.0001 },
  ],
});

describe("a document of the operator's own rates", () => {
  it('gives currencies and assets to the digit, as text or as a number', () => {
    const asOf = new Date('2026-09-29T12:00:00.000Z');
    expect(readRatesDocument(text, 'json')).toEqual([
      { base: 'USDC', quote: 'USD', rate: '0.99990', asOf, source: 'json' },
      { base: 'EURC', quote: 'EUR', rate: '1.0001', asOf, source: 'json' },
    ]);
  });

  it.each<[string, string, RegExp]>([
    ['no JSON', 'Not Found', /no JSON/],
    ['a list', '[]', /has no rates/],
    ['no rates at all', text.replace(/"rates":.*/, '"rates":[]}'), /1 to 1,000/],
    ['no time', text.replace('2026-09-29T12:00:00Z', '2026-09-29'), /no date-time/],
    ['a day of no calendar', text.replace('09-29T', '02-30T'), /no date-time/],
    ['a time of no zone', text.replace('00Z', '00'), /no date-time/],
    ['a coin that is not ours', text.replace('"USDC"', '"DOGE"'), /base of rate 1/],
    ['a base that is a number', text.replace('"USDC"', '1'), /base of rate 1/],
    ['a quote of none', text.replace('"EUR"', 'null'), /quote of rate 2/],
    ['a pair with itself', text.replace('"EUR"', '"EURC"'), /pair that is there already/],
    [
      'a pair the other way round',
      text.replace('"EURC","quote":"EUR"', '"USD","quote":"USDC"'),
      /pair that is there already/,
    ],
    ['a rate of zero', text.replace('0.99990', '0.0'), /rate 1 is not a positive/],
    ['a negative rate', text.replace('1.0001', '-1'), /rate 2 is not a positive/],
    ['a rate that is none', text.replace('1.0001', 'true'), /rate 2 is not a positive/],
    ['a row of none', text.replace(/\{"base":"EURC".*?\}/, 'null'), /rate 2 is no object/],
  ])('with %s is refused whole', (_what, wrong, message) => {
    expect(() => readRatesDocument(wrong, 'json')).toThrow(FxSourceError);
    expect(() => readRatesDocument(wrong, 'json')).toThrow(message);
  });

  it('is at no address of its own', () => {
    expect(() => createHttpSource('json')).toThrow(RangeError);
  });
});
