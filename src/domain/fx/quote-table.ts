import { crossRatesFrom } from './cross-rate.ts';
import type { CrossRate } from './cross-rate.ts';
import type { FxLeg } from './fx-leg.ts';
import { medianRate } from './median.ts';
import { formatRate, RATE_FRACTION_DIGITS_MAX } from './rate.ts';

export interface QuoteRow {
  readonly base: string;
  readonly quote: string;
  /** Plain decimal, see formatRate; "1" where base and quote are the same. */
  readonly rate: string;
  /** The oldest contributing leg's own time. */
  readonly asOf: Date;
  readonly isStale: boolean;
  /** Names of the contributing sources, joined by "+"; "identity" where base and quote are the same. */
  readonly source: string;
}

export interface QuoteTable {
  readonly rows: QuoteRow[];
  /** Asked for, but the legs do not reach them. */
  readonly missing: string[];
  /** Of all rows together: the oldest time, stale if one is. Null where there is no row. */
  readonly asOf: Date | null;
  readonly isStale: boolean;
  readonly source: string;
}

export interface QuoteQuestion {
  readonly base: string;
  /** Left out: every currency that the legs reach, in alphabetical order, without the base itself. */
  readonly quotes?: readonly string[];
  /** The time to judge age by: now, or the past time that was asked about. */
  readonly at: Date;
  /** Milliseconds; a rate whose asOf is older than this is stale. */
  readonly maxAgeMs: number;
}

/**
 * Answers a rate question from stored legs. Where several sources give a pair, the median of their
 * rates counts; stale ones take part only if there is none that is fresh. A pair that no single
 * source knows is put together from all of them.
 */
export function quoteTable(legs: readonly FxLeg[], question: QuoteQuestion): QuoteTable {
  const candidates = candidatesByQuote(legs, question);
  const quotes = [...new Set(question.quotes ?? [...candidates.keys()].sort())];
  const rows: QuoteRow[] = [];
  const missing: string[] = [];
  for (const quote of quotes) {
    const row = quoteRow(quote, candidates.get(quote) ?? [], question);
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

function candidatesByQuote(
  legs: readonly FxLeg[],
  { base, quotes }: QuoteQuestion,
): Map<string, CrossRate[]> {
  const candidates = new Map<string, CrossRate[]>();
  const sources = new Set(legs.map((leg) => leg.source));
  for (const source of sources) {
    const ofSource = legs.filter((leg) => leg.source === source);
    for (const [quote, rate] of crossRatesFrom(ofSource, base, quotes)) {
      candidates.set(quote, [...(candidates.get(quote) ?? []), rate]);
    }
  }
  if (sources.size < 2) return candidates;
  for (const [quote, rate] of crossRatesFrom(legs, base, quotes)) {
    if (!candidates.has(quote)) candidates.set(quote, [rate]);
  }
  return candidates;
}

function quoteRow(
  quote: string,
  candidates: CrossRate[],
  question: QuoteQuestion,
): QuoteRow | null {
  const { base, at, maxAgeMs } = question;
  if (quote === base) {
    return { base, quote, rate: '1', asOf: at, isStale: false, source: 'identity' };
  }
  const isFresh = (rate: CrossRate): boolean => at.getTime() - rate.asOf.getTime() <= maxAgeMs;
  const fresh = candidates.filter(isFresh);
  const used = fresh.length > 0 ? fresh : candidates;
  if (used.length === 0) return null;
  const rate = medianRate(used.map((candidate) => candidate.rate));
  // Absurd legs can make a cross rate too small to be written; none at all is better than "0".
  if (!rate.round(RATE_FRACTION_DIGITS_MAX, 2).gt('0')) return null;
  return {
    base,
    quote,
    rate: formatRate(rate),
    asOf: oldest(used),
    isStale: fresh.length === 0,
    source: joinSources(used.flatMap((candidate) => candidate.sources)),
  };
}

function oldest(rates: ReadonlyArray<{ asOf: Date }>): Date {
  return new Date(Math.min(...rates.map(({ asOf }) => asOf.getTime())));
}

function joinSources(names: readonly string[]): string {
  return [...new Set(names)].sort().join('+');
}
