import type { FxLeg } from '../../domain/payments/fx/fx-leg.ts';
import { isCurrency } from '../../domain/money/currencies.ts';
import { centralEuropeanTime } from './central-european-time.ts';
import { FxSourceError } from '../../domain/payments/fx/fx-source.ts';
import { isObject, parseJsonDocument, rateOf } from './json-document.ts';

/** The bank states a day only; it publishes table A between 11:45 and 12:15 Warsaw time. */
const PUBLICATION_HOUR = 12;

/**
 * Reads table A of the Narodowy Bank Polski: one table in an array, `rates` with the zlotys (`mid`) for
 * one unit of each `code`. Codes that ISO 4217 does not list as active (XDR) are passed over; whatever
 * else departs from the format throws FxSourceError.
 */
export function readNbpDocument(text: string, source: string): FxLeg[] {
  const fail = (problem: string): never => {
    throw new FxSourceError(source, problem);
  };
  const document = parseJsonDocument(text, source);
  const [table, secondTable] = Array.isArray(document) ? (document as unknown[]) : [];
  if (!isObject(table) || secondTable !== undefined) return fail('the document is not one table');
  if (table['table'] !== 'A') fail('the document is not table A');
  const day = table['effectiveDate'];
  const asOf =
    (typeof day === 'string' ? centralEuropeanTime(day, PUBLICATION_HOUR) : null) ??
    fail('the day of the rates is no date');
  const rates = table['rates'];
  if (!Array.isArray(rates) || rates.length === 0) return fail('the table has no rates');

  const seen = new Set<string>();
  const legs = (rates as unknown[]).flatMap((row): FxLeg[] => {
    const code = isObject(row) ? row['code'] : undefined;
    if (!isObject(row) || typeof code !== 'string' || !/^[A-Z]{3}$/.test(code)) {
      return fail('a currency code is not one');
    }
    if (seen.has(code)) fail(`${code} has two rates`);
    seen.add(code);
    const rate = rateOf(row['mid']) ?? fail(`the rate of ${code} is not a positive decimal`);
    if (code === 'PLN') return fail('the zloty is quoted against itself');
    return isCurrency(code) ? [{ base: code, quote: 'PLN', rate, asOf, source }] : [];
  });
  return legs.length > 0 ? legs : fail('the table has no rates');
}
