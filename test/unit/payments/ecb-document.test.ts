import { describe, expect, it } from 'vitest';

import { readEcbDocument } from '../../../src/adapters/fx/ecb-document.ts';
import { FxSourceError } from '../../../src/domain/payments/fx/fx-source.ts';
import { ecbSample } from '../../support/payments/ecb-sample.ts';

const day = ecbSample.slice(
  ecbSample.indexOf("<Cube time='"),
  ecbSample.lastIndexOf('</Cube>', ecbSample.lastIndexOf('</Cube>') - 1) + '</Cube>'.length,
);

describe('ECB document', () => {
  it('gives its rates as they are written, of 16:00 in Frankfurt', () => {
    const legs = readEcbDocument(ecbSample, 'ecb');
    expect(legs).toHaveLength(5);
    expect(legs[2]).toEqual({
      base: 'EUR',
      quote: 'GBP',
      rate: '0.87230',
      asOf: new Date('2026-09-29T14:00:00.000Z'),
      source: 'ecb',
    });
  });

  it('passes over a currency that has gone out of use, and keeps the others', () => {
    const withLev = ecbSample.replace("currency='JPY'", "currency='BGN'");
    expect(readEcbDocument(withLev, 'ecb').map(({ quote }) => quote)).not.toContain('BGN');
    expect(readEcbDocument(withLev, 'ecb')).toHaveLength(4);
  });

  it('may use any prefix for its namespaces', () => {
    const prefixed = ecbSample
      .replace(' xmlns="', ' xmlns:r="')
      .replaceAll('<Cube', '<r:Cube')
      .replaceAll('</Cube', '</r:Cube');
    expect(readEcbDocument(prefixed, 'ecb')).toHaveLength(5);
  });

  const dtd = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]>';
  it.each<[string, string, RegExp]>([
    ['a document type', ecbSample.replace('<gesmes:Env', `${dtd}<gesmes:Env`), /document type/],
    ['an entity', ecbSample.replace('Reference rates', '&e;'), /well-formed/],
    ['an entity in a rate', ecbSample.replace('1.1725', '&e;'), /well-formed/],
    ['a cut-off end', ecbSample.slice(0, -40), /well-formed/],
    ['text after the end', `${ecbSample}<a/>`, /well-formed|envelope/],
    ['no XML at all', 'Service unavailable', /well-formed/],
    ['nothing', '', /well-formed/],
    ['a web page', '<html><body/></html>', /envelope/],
    ['another namespace', ecbSample.replace('vocabulary/2002', 'vocabulary/2003'), /no day/],
    ['no day', ecbSample.replace(day, ''), /no day/],
    ['two days', ecbSample.replace(day, day + day), /more than one day/],
    ['a day of no calendar', ecbSample.replace('2026-09-29', '2026-02-30'), /no date/],
    ['an empty day', ecbSample.replace(day, "<Cube time='2026-09-29'/>"), /no rates/],
    ['a currency twice', ecbSample.replace("'JPY'", "'USD'"), /two rates/],
    ['the euro itself', ecbSample.replace("'JPY'", "'EUR'"), /currency code/],
    ['a broken code', ecbSample.replace("'JPY'", "'jpy'"), /currency code/],
    ['a zero rate', ecbSample.replace('173.41', '0'), /JPY is not a positive/],
    ['a negative rate', ecbSample.replace('173.41', '-173.41'), /JPY is not a positive/],
    ['N/A for a rate', ecbSample.replace('173.41', 'N/A'), /JPY is not a positive/],
    ['a missing rate', ecbSample.replace(" rate='173.41'", ''), /incomplete/],
    [
      'a rate outside its day',
      ecbSample.replace(day, `${day}<Cube currency='CHF' rate='1'/>`),
      /incomplete|where it belongs/,
    ],
  ])('with %s is refused with a clear error', (_what, xml, message) => {
    expect(() => readEcbDocument(xml, 'ecb')).toThrow(FxSourceError);
    expect(() => readEcbDocument(xml, 'ecb')).toThrow(message);
  });
});
