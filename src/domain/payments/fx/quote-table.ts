import { currencyValues, type CurrencyValue } from './currency-value.ts';
import type { FxLeg } from './fx-leg.ts';
import { formatRate, isWritableRate } from './rate.ts';

interface QuoteRow {
  readonly base: string;
  readonly quote: string;
  /** Plain decimal, see formatRate; "1" where base and quote are the same. */
  readonly rate: string;
  /** The oldest contributing leg's own time. */
  readonly asOf: Date;
  /** Too old, or its sources contradict each other: not to be traded at. */
  readonly isStale: boolean;
  /** Names of the contributing sources, joined by "+"; "identity" where base and quote are the same. */
  readonly source: string;
}

interface QuoteTable {
  readonly rows: QuoteRow[];
  /** Asked for, but the legs do not reach them. */
  readonly missing: string[];
  /** Of all rows together: the oldest time, stale if one is. Null where there is no row. */
  readonly asOf: Date | null;
  readonly isStale: boolean;
  readonly source: string;
}

interface QuoteQuestion {
  readonly base: string;
  /** Left out: every currency that the legs reach, in alphabetical order, without the base itself. */
  readonly quotes?: readonly string[];
  /** Which codes an answer without `quotes` has; all where this is left out. */
  readonly lists?: (code: string) => boolean;
  /** The time to judge age by: now, or the past time that was asked about. */
  readonly at: Date;
  /** Milliseconds; a rate whose asOf is older than this is stale. */
  readonly maxAgeMs: number;
}

/**
 * Answers a rate question from stored legs. Every currency has one value in the pivot, the median of
 * its sources, and a pair is the ratio of two of them: so a rate and its inverse agree, and a way over
 * a third currency comes out the same, to the last digit that is written.
 */
export function quoteTable(legs: readonly FxLeg[], question: QuoteQuestion): QuoteTable {
  const { base, quotes: wanted } = question;
  const named = wanted === undefined ? undefined : [...wanted, base];
  const values = currencyValues(legs, question, named);
  const isListed = (code: string) => code !== base && (question.lists?.(code) ?? true);
  const quotes = new Set(wanted ?? [...values.keys()].filter(isListed).sort());
  const rows: QuoteRow[] = [];
  const missing: string[] = [];
  for (const quote of quotes) {
    const row = quoteRow(quote, values, question);
    if (row === null) missing.push(quote);
    else rows.push(row);
  }
  return {
    rows,
    missing,
    asOf: rows.length === 0 ? null : oldest(rows),
    isStale: rows.some((row) => row.isStale),
    source: joinSources(rows.flatMap((row) => row.source.split('+'))),
  };
}

function quoteRow(
  quote: string,
  values: ReadonlyMap<string, CurrencyValue>,
  { base, at }: QuoteQuestion,
): QuoteRow | null {
  if (quote === base) {
    return { base, quote, rate: '1', asOf: at, isStale: false, source: 'identity' };
  }
  const from = values.get(base);
  const to = values.get(quote);
  if (from === undefined || to === undefined) return null;
  const rate = to.units.div(from.units);
  // Absurd legs can make a cross rate too small to be written; none at all is better than "0".
  if (!isWritableRate(rate)) return null;
  // The pivot is worth one of itself at any time: it has no time and no source.
  const used = [from, to].filter((value) => value.sources.length > 0);
  return {
    base,
    quote,
    rate: formatRate(rate),
    asOf: oldest(used),
    isStale: used.some((value) => value.isStale),
    source: joinSources(used.flatMap((value) => value.sources)),
  };
}

function oldest(rates: ReadonlyArray<{ asOf: Date }>): Date {
  return new Date(Math.min(...rates.map(({ asOf }) => asOf.getTime())));
}

function joinSources(names: readonly string[]): string {
  return [...new Set(names)].sort().join('+');
}
