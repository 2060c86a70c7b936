import type { FxLeg } from '../../domain/payments/fx/fx-leg.ts';
import { plainRateText } from '../../domain/payments/fx/rate.ts';
import { isMoneyCode } from '../../domain/money/currencies.ts';
import { FxSourceError } from '../../domain/payments/fx/fx-source.ts';
import { isObject, parseJsonDocument, rateOf } from './json-document.ts';

/** More pairs than all currencies have in one another's place. */
const RATES_MAX = 1_000;

/**
 * Reads our own form of a document of rates, for publishers who speak it:
 * `{"asOf":"2026-09-29T12:00:00Z","rates":[{"base":"USDC","quote":"USD","rate":"0.9999"}]}`, units of
 * `quote` for one of `base`, as text or as a number. A pair may stand there once, in one direction.
 * Throws FxSourceError for anything else.
 */
export function readRatesDocument(text: string, source: string): FxLeg[] {
  const fail = (problem: string): never => {
    throw new FxSourceError(source, problem);
  };
  const document = parseJsonDocument(text, source);
  const rates = isObject(document) ? document['rates'] : undefined;
  if (!isObject(document) || !Array.isArray(rates)) return fail('the document has no rates');
  if (rates.length === 0 || rates.length > RATES_MAX) return fail('1 to 1,000 rates are expected');
  const asOf = momentOf(document['asOf']) ?? fail('the time of the rates is no date-time of UTC');
  const seen = new Set<string>();
  return rates.map((row: unknown, index): FxLeg => {
    const place = `rate ${String(index + 1)}`;
    if (!isObject(row)) return fail(`${place} is no object`);
    const base = codeOf(row['base']) ?? fail(`the base of ${place} is not supported`);
    const quote = codeOf(row['quote']) ?? fail(`the quote of ${place} is not supported`);
    const pair = [base, quote].sort().join(' ');
    if (base === quote || seen.has(pair))
      return fail(`${place} is of a pair that is there already`);
    seen.add(pair);
    const given = row['rate'];
    const rate = typeof given === 'string' ? plainRateText(given) : rateOf(given);
    return { base, quote, rate: rate ?? fail(`${place} is not a positive decimal`), asOf, source };
  });
}

const codeOf = (value: unknown): string | null =>
  typeof value === 'string' && isMoneyCode(value) ? value : null;

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/;

function momentOf(text: unknown): Date | null {
  if (typeof text !== 'string' || !MOMENT.test(text)) return null;
  const moment = new Date(text);
  // A Date makes the second of March of "2026-02-30".
  const isReal =
    !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text.slice(0, 19));
  return isReal ? moment : null;
}
