import { SaxesParser } from 'saxes';
import type { SaxesTagNS } from 'saxes';

import type { FxLeg } from '../../domain/payments/fx/fx-leg.ts';
import { parseRate } from '../../domain/payments/fx/rate.ts';
import { isCurrency } from '../../domain/money/currencies.ts';
import { centralEuropeanTime } from './central-european-time.ts';
import { FxSourceError } from '../../domain/payments/fx/fx-source.ts';

const ENVELOPE_NAMESPACE = 'http://www.gesmes.org/xml/2002-08-01';
const RATES_NAMESPACE = 'http://www.ecb.int/vocabulary/2002-08-01/eurofxref';

/** The bank states a day only; it publishes at about 16:00 Frankfurt time on that day. */
const PUBLICATION_HOUR = 16;

interface Day {
  readonly asOf: Date;
  readonly ratesByCurrency: Map<string, string>;
}

/**
 * Reads the ECB's daily reference rates (eurofxref-daily.xml): Envelope > Cube > Cube time="..." >
 * Cube currency="..." rate="...", units of the currency for one euro. Codes that ISO 4217 does not
 * list as active are passed over; whatever else departs from the format throws FxSourceError, as do
 * document types and any entity that XML itself does not define.
 */
export function readEcbDocument(xml: string, source: string): FxLeg[] {
  const fail = (problem: string, cause?: unknown): never => {
    throw new FxSourceError(source, problem, { cause });
  };
  const days: Day[] = [];
  let depth = 0;
  const parser = new SaxesParser({ xmlns: true, position: false });
  parser.on('doctype', () => fail('the document declares a document type'));
  parser.on('error', (error) => fail('the document is not well-formed XML', error));
  parser.on('opentag', (tag) => {
    if (depth === 0 && !isElement(tag, ENVELOPE_NAMESPACE, 'Envelope')) {
      fail('the document is not a rates envelope');
    }
    if (isElement(tag, RATES_NAMESPACE, 'Cube')) readCube(tag, depth, days, fail);
    depth += 1;
  });
  parser.on('closetag', () => {
    depth -= 1;
  });
  parser.write(xml).close();

  const [day, secondDay] = days;
  if (day === undefined) return fail('the document has no day of rates');
  if (secondDay !== undefined) return fail('the document has more than one day of rates');
  return legsOf(day, source, fail);
}

type Fail = (problem: string, cause?: unknown) => never;

function isElement(tag: SaxesTagNS, uri: string, local: string): boolean {
  return tag.uri === uri && tag.local === local;
}

function readCube(tag: SaxesTagNS, depth: number, days: Day[], fail: Fail): void {
  const time = tag.attributes['time']?.value;
  const currency = tag.attributes['currency']?.value;
  const rate = tag.attributes['rate']?.value;
  if (depth === 1 && time === undefined && currency === undefined) return;
  if (depth === 2 && time !== undefined && currency === undefined) {
    const asOf =
      centralEuropeanTime(time, PUBLICATION_HOUR) ?? fail('the day of the rates is no date');
    days.push({ asOf, ratesByCurrency: new Map() });
    return;
  }
  const day = days.at(-1);
  if (depth !== 3 || day === undefined || currency === undefined || rate === undefined) {
    return fail('a rate is incomplete or not where it belongs');
  }
  if (!/^[A-Z]{3}$/.test(currency) || currency === 'EUR') fail('a currency code is not one');
  if (parseRate(rate) === null) fail(`the rate of ${currency} is not a positive decimal`);
  if (day.ratesByCurrency.has(currency)) fail(`${currency} has two rates`);
  day.ratesByCurrency.set(currency, rate);
}

function legsOf({ asOf, ratesByCurrency }: Day, source: string, fail: Fail): FxLeg[] {
  const legs = [...ratesByCurrency]
    .filter(([currency]) => isCurrency(currency))
    .map(([quote, rate]) => ({ base: 'EUR', quote, rate, asOf, source }));
  return legs.length > 0 ? legs : fail('the day has no rates');
}
