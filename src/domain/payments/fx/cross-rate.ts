import type { FxLeg } from './fx-leg.ts';
import { parseRate, UNIT_RATE } from './rate.ts';
import type { Rate } from './rate.ts';

export interface CrossRate {
  readonly rate: Rate;
  /** The oldest of the legs that the rate was made from. */
  readonly asOf: Date;
  /** Names of the sources of those legs, each once. */
  readonly sources: string[];
}

/** Base -> source A's base -> source B's base -> quote: no pair needs a longer way. */
const LEGS_MAX = 3;

// Products of the legs walked forwards and backwards, divided only once at the end.
interface Walk {
  readonly currency: string;
  readonly forwards: Rate;
  readonly backwards: Rate;
  readonly legs: FxLeg[];
}

/**
 * Rates from `base` to every currency that the legs reach, by triangulation from unrounded legs over
 * the fewest of them; the freshest first where several ways are equally short. `base` itself is not
 * in the answer. Legs whose rate is not a positive decimal are passed over. Where `quotes` are named,
 * only those are worked out: divisions to 40 decimals are what costs here.
 */
export function crossRatesFrom(
  legs: readonly FxLeg[],
  base: string,
  quotes?: readonly string[],
): Map<string, CrossRate> {
  const found = new Map<string, CrossRate>();
  for (const [quote, walk] of walksFrom(legs, base)) {
    if (quotes === undefined || quotes.includes(quote)) found.set(quote, finish(walk));
  }
  return found;
}

/** The legs that `crossRatesFrom` makes the rate of a pair from; none where they do not reach it. */
export const legsBetween = (
  legs: readonly FxLeg[],
  base: string,
  quote: string,
): readonly FxLeg[] => walksFrom(legs, base).get(quote)?.legs ?? [];

function walksFrom(legs: readonly FxLeg[], base: string): Map<string, Walk> {
  const neighbours = stepsByCurrency(legs);
  const found = new Map<string, Walk>();
  let frontier: Walk[] = [{ currency: base, forwards: UNIT_RATE, backwards: UNIT_RATE, legs: [] }];
  for (let count = 1; count <= LEGS_MAX && frontier.length > 0; count += 1) {
    const next: Walk[] = [];
    for (const walk of frontier) {
      for (const step of neighbours.get(walk.currency) ?? []) {
        if (step.to === base || found.has(step.to)) continue;
        const longer = follow(walk, step);
        found.set(step.to, longer);
        next.push(longer);
      }
    }
    frontier = next;
  }
  return found;
}

interface Step {
  readonly to: string;
  readonly rate: Rate;
  readonly isForwards: boolean;
  readonly leg: FxLeg;
}

function stepsByCurrency(legs: readonly FxLeg[]): Map<string, Step[]> {
  const steps = new Map<string, Step[]>();
  const add = (from: string, step: Step): void => {
    const known = steps.get(from);
    if (known === undefined) steps.set(from, [step]);
    else known.push(step);
  };
  for (const leg of [...legs].sort(byFreshness)) {
    const rate = parseRate(leg.rate);
    if (rate === null || leg.base === leg.quote) continue;
    add(leg.base, { to: leg.quote, rate, isForwards: true, leg });
    add(leg.quote, { to: leg.base, rate, isForwards: false, leg });
  }
  return steps;
}

function byFreshness(a: FxLeg, b: FxLeg): number {
  const newerFirst = b.asOf.getTime() - a.asOf.getTime();
  if (newerFirst !== 0) return newerFirst;
  const keyOfA = `${a.source} ${a.base} ${a.quote}`;
  const keyOfB = `${b.source} ${b.base} ${b.quote}`;
  return keyOfA < keyOfB ? -1 : keyOfA > keyOfB ? 1 : 0;
}

function follow(walk: Walk, step: Step): Walk {
  return {
    currency: step.to,
    forwards: step.isForwards ? walk.forwards.times(step.rate) : walk.forwards,
    backwards: step.isForwards ? walk.backwards : walk.backwards.times(step.rate),
    legs: [...walk.legs, step.leg],
  };
}

function finish(walk: Walk): CrossRate {
  return {
    rate: walk.backwards === UNIT_RATE ? walk.forwards : walk.forwards.div(walk.backwards),
    asOf: new Date(Math.min(...walk.legs.map((leg) => leg.asOf.getTime()))),
    sources: [...new Set(walk.legs.map((leg) => leg.source))].sort(),
  };
}
