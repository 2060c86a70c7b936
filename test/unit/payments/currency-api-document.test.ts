import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { readCurrencyApiDocument } from '../../../src/adapters/fx/currency-api-document.ts';
import { FxSourceError } from '../../../src/domain/payments/fx/fx-source.ts';
import { createSnapshotSource } from '../../../src/adapters/fx/snapshot.ts';

const original = readFileSync(
  new URL(
    '../../../node_modules/@fawazahmed0/currency-api/v1/currencies/usd.json',
    import.meta.url,
  ),
  'utf8',
);
const short = '{"date":"2026-09-29","usd":{"eur":0.88,"btc":1.2e-05,"sek":9.4,"dem":1.7,"usd":1}}';

describe('currency-api document', () => {
  it('gives every active currency and asset of a real one, to the digit', async () => {
    const read = readCurrencyApiDocument(original, 'snapshot');
    const byQuote = (a: { quote: string }, b: { quote: string }) => (a.quote < b.quote ? -1 : 1);
    const shipped = await createSnapshotSource().fetch();
    expect(read.sort(byQuote)).toEqual([...shipped].sort(byQuote));
  });

  it('passes over other tokens, currencies that are gone, and the dollar itself', () => {
    const legs = readCurrencyApiDocument(short, 'currency-api');
    expect(legs.map(({ quote, rate }) => [quote, rate])).toEqual([
      ['EUR', '0.88'],
      ['SEK', '9.4'],
    ]);
  });

  it('does not let another spelling of a currency stand beside it', () => {
    const spelled = short.replace('"dem"', '"ſek"').replace('"btc"', '"EUR"');
    expect(readCurrencyApiDocument(spelled, 'currency-api')).toHaveLength(2);
  });

  it.each<[string, string, RegExp]>([
    ['no JSON', 'Not Found', /no JSON/],
    ['a list', '[]', /no dollar rates/],
    ['null', 'null', /no dollar rates/],
    ['another base', short.replace('"usd":{', '"eur":{'), /no dollar rates/],
    ['no day', short.replace('2026-09-29', ''), /no date/],
    ['a day of no calendar', short.replace('2026-09-29', '2026-02-30'), /no date/],
    ['a day that is a number', short.replace('"2026-09-29"', '20260929'), /no date/],
    [
      'no currency that counts',
      short.replace('"eur"', '"xeu"').replace('"sek"', '"x"'),
      /no rates/,
    ],
    ['a zero rate', short.replace('0.88', '0.00'), /EUR is not a positive/],
    ['a negative rate', short.replace('0.88', '-0.88'), /EUR is not a positive/],
    ['null for a rate', short.replace('0.88', 'null'), /EUR is not a positive/],
    ['a currency twice', short.replace('"sek":9.4', '"eur":9.4'), /no JSON/],
  ])('with %s is refused whole', (_what, text, message) => {
    expect(() => readCurrencyApiDocument(text, 'currency-api')).toThrow(FxSourceError);
    expect(() => readCurrencyApiDocument(text, 'currency-api')).toThrow(message);
  });
});
