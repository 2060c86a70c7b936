import { agreeingRates } from './agreement.ts';
import { crossRatesFrom, type CrossRate } from './cross-rate.ts';
import type { FxLeg } from './fx-leg.ts';
import { medianRate } from './median.ts';
import { UNIT_RATE, type Rate } from './rate.ts';

/** What every currency is measured in; every source quotes it. */
export const PIVOT_CURRENCY = 'USD';

export interface CurrencyValue {
  /** Units of the currency for one of the pivot, unrounded. */
  readonly units: Rate;
  /** The oldest contributing leg's own time. */
  readonly asOf: Date;
  /** The contributing sources; none for the pivot itself. */
  readonly sources: readonly string[];
  /** None of its sources is fresh, or they contradict each other. */
  readonly isStale: boolean;
  /** Its fresh sources contradict each other, and no majority says which of them is wrong. */
  readonly isDisputed: boolean;
}

export interface ValueMoment {
  /** The time to judge age by: now, or the past time that was asked about. */
  readonly at: Date;
  /** Milliseconds; what is older is stale. */
  readonly maxAgeMs: number;
}

/**
 * The value of every currency that the legs reach, or of those that are wanted. Each source is
 * followed by itself; of the fresh ones that agree the median counts, of stale ones only where none
 * is fresh. A currency that no single source ties to the pivot is put together from all of them.
 */
export function currencyValues(
  legs: readonly FxLeg[],
  moment: ValueMoment,
  wanted?: readonly string[],
): Map<string, CurrencyValue> {
  const values = new Map<string, CurrencyValue>();
  for (const [currency, candidates] of candidatesByCurrency(legs, wanted)) {
    values.set(currency, judge(candidates, moment));
  }
  if (legs.length > 0) values.set(PIVOT_CURRENCY, pivotAt(moment.at));
  return values;
}

const pivotAt = (at: Date): CurrencyValue => ({
  ...{ units: UNIT_RATE, asOf: at, sources: [], isStale: false, isDisputed: false },
});

function candidatesByCurrency(
  legs: readonly FxLeg[],
  wanted: readonly string[] | undefined,
): Map<string, CrossRate[]> {
  const candidates = new Map<string, CrossRate[]>();
  const sources = new Set(legs.map((leg) => leg.source));
  for (const source of sources) {
    const ofSource = legs.filter((leg) => leg.source === source);
    for (const [currency, rate] of crossRatesFrom(ofSource, PIVOT_CURRENCY, wanted)) {
      candidates.set(currency, [...(candidates.get(currency) ?? []), rate]);
    }
  }
  // Only what is still missing: divisions to 40 decimals are what costs here.
  const codes = new Set(wanted ?? legs.flatMap(({ base, quote }) => [base, quote]));
  const missing = [...codes].filter((code) => code !== PIVOT_CURRENCY && !candidates.has(code));
  if (sources.size < 2 || missing.length === 0) return candidates;
  for (const [currency, rate] of crossRatesFrom(legs, PIVOT_CURRENCY, missing)) {
    candidates.set(currency, [rate]);
  }
  return candidates;
}

const isFreshAt = ({ asOf }: CrossRate, { at, maxAgeMs }: ValueMoment): boolean =>
  at.getTime() - asOf.getTime() <= maxAgeMs;

/** Those that count: the fresh ones, and stale ones only where none is fresh. */
export function freshOf(
  candidates: readonly CrossRate[],
  moment: ValueMoment,
): readonly CrossRate[] {
  const fresh = candidates.filter((one) => isFreshAt(one, moment));
  return fresh.length > 0 ? fresh : candidates;
}

function judge(candidates: readonly CrossRate[], moment: ValueMoment): CurrencyValue {
  const isFresh = candidates.some((one) => isFreshAt(one, moment));
  const { used, isDisputed } = agreeingRates(freshOf(candidates, moment));
  return {
    units: medianRate(used.map(({ rate }) => rate)),
    asOf: new Date(Math.min(...used.map(({ asOf }) => asOf.getTime()))),
    sources: used.flatMap(({ sources }) => sources),
    isStale: !isFresh || isDisputed,
    isDisputed: isFresh && isDisputed,
  };
}
