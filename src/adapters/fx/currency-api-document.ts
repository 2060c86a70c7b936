import type { FxLeg } from '../../domain/payments/fx/fx-leg.ts';
import { isMoneyCode } from '../../domain/money/currencies.ts';
import { FxSourceError } from '../../domain/payments/fx/fx-source.ts';
import { isObject, parseJsonDocument, rateOf } from './json-document.ts';

/**
 * Reads `currencies/usd.json` of the currency-api project: `{"date":"2026-09-29","usd":{"eur":0.88}}`,
 * units of each code for one dollar. Its codes are in lower case, and most of them are other tokens or
 * gone: only active ones of ISO 4217 and our stablecoins are taken. It states a day, which is read as its first moment in UTC,
 * so that a rate never passes for younger than it is. Throws FxSourceError for anything else.
 */
export function readCurrencyApiDocument(text: string, source: string): FxLeg[] {
  const fail = (problem: string): never => {
    throw new FxSourceError(source, problem);
  };
  const document = parseJsonDocument(text, source);
  const rates = isObject(document) ? document['usd'] : undefined;
  if (!isObject(document) || !isObject(rates)) return fail('the document has no dollar rates');
  const asOf = dayOf(document['date']) ?? fail('the day of the rates is no date');
  const legs = Object.entries(rates).flatMap(([name, value]): FxLeg[] => {
    const quote = name.toUpperCase();
    // "ſek" is SEK in upper case, and a second rate of it.
    if (quote === 'USD' || !/^[a-z]{3,4}$/.test(name) || !isMoneyCode(quote)) return [];
    const rate = rateOf(value) ?? fail(`the rate of ${quote} is not a positive decimal`);
    return [{ base: 'USD', quote, rate, asOf, source }];
  });
  return legs.length > 0 ? legs : fail('the document has no rates');
}

function dayOf(text: unknown): Date | null {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const day = new Date(`${text}T00:00:00.000Z`);
  // A Date makes the second of March of "2026-02-30".
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? day : null;
}
