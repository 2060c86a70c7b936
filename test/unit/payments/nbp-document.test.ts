import { describe, expect, it } from 'vitest';

import { FxSourceError } from '../../../src/domain/payments/fx/fx-source.ts';
import { readNbpDocument } from '../../../src/adapters/fx/nbp-document.ts';
import { nbpSample } from '../../support/payments/nbp-sample.ts';

describe('NBP table A', () => {
  it('gives its rates as they are written, of noon in Warsaw, and passes over the SDR', () => {
    const legs = readNbpDocument(nbpSample, 'nbp');
    expect(legs).toHaveLength(7);
    expect(legs[4]).toEqual({
      base: 'HUF',
      quote: 'PLN',
      rate: '0.010702',
      asOf: new Date('2026-09-29T10:00:00.000Z'),
      source: 'nbp',
    });
    expect(legs.map(({ base }) => base)).not.toContain('XDR');
  });

  it('reads a small number that has an exponent to its last digit', () => {
    const idr = readNbpDocument(nbpSample, 'nbp').find(({ base }) => base === 'IDR');
    expect(idr?.rate).toBe('0.00021934');
  });

  it.each<[string, string, RegExp]>([
    ['no JSON', '<html></html>', /no JSON/],
    ['nothing', '', /no JSON/],
    ['a cut-off end', nbpSample.slice(0, -2), /no JSON/],
    ['text after the end', `${nbpSample} []`, /no JSON/],
    ['a million brackets', '['.repeat(1_000_000), /no JSON/],
    ['no table', '[]', /not one table/],
    ['null', 'null', /not one table/],
    ['a number', '[1]', /not one table/],
    ['two tables', `${nbpSample.slice(0, -1)},${nbpSample.slice(1)}`, /not one table/],
    ['another table', nbpSample.replace('"A"', '"C"'), /not table A/],
    ['a day of no calendar', nbpSample.replace('2026-09-29', '2026-02-30'), /no date/],
    ['a day with a time', nbpSample.replace('2026-09-29', '2026-09-29T00:00'), /no date/],
    [
      'no rates',
      nbpSample.replace(/"rates":\[[^]*\]/, '"rates":[]}]').slice(0, -2),
      /no rates|JSON/,
    ],
    ['a currency twice', nbpSample.replace('"HUF"', '"EUR"'), /EUR has two rates/],
    ['the zloty itself', nbpSample.replace('"HUF"', '"PLN"'), /against itself/],
    ['a broken code', nbpSample.replace('"HUF"', '"huf"'), /currency code/],
    ['a code that is a number', nbpSample.replace('"HUF"', '1'), /currency code/],
    [
      'a row that is none',
      nbpSample.replace(/\{"currency":"euro"[^}]*\}/, 'null'),
      /currency code/,
    ],
    ['a zero rate', nbpSample.replace('4.1376', '0'), /EUR is not a positive/],
    ['a negative rate', nbpSample.replace('4.1376', '-4.1376'), /EUR is not a positive/],
    ['NaN for a rate', nbpSample.replace('4.1376', 'NaN'), /no JSON/],
    ['"NaN" for a rate', nbpSample.replace('4.1376', '"NaN"'), /EUR is not a positive/],
    ['text for a rate', nbpSample.replace('4.1376', '"4.1376"'), /EUR is not a positive/],
    ['an endless rate', nbpSample.replace('4.1376', `4.${'1'.repeat(5_000)}`), /EUR is not a pos/],
    ['a rate without end', nbpSample.replace('4.1376', '1e999'), /EUR is not a positive/],
    ['a missing rate', nbpSample.replace(',"mid":4.1376', ''), /EUR is not a positive/],
    ['two different rates', nbpSample.replace('"mid":4.1376', '"mid":4.1,"mid":5'), /no JSON/],
  ])('with %s is refused whole, with a clear error', (_what, text, message) => {
    expect(() => readNbpDocument(text, 'nbp')).toThrow(FxSourceError);
    expect(() => readNbpDocument(text, 'nbp')).toThrow(message);
  });
});
