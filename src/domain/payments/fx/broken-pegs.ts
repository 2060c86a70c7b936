import { crossRatesFrom } from './cross-rate.ts';
import type { FxLeg } from './fx-leg.ts';
import { PEGS, type Peg } from './pegs.ts';
import { parseRate } from './rate.ts';

/**
 * The currencies that one source's legs put outside their band; those that `released` names are held
 * no longer and pass. Where all of several currencies of one anchor are outside, the anchor's own rate
 * is what is wrong, and it is named with them: of a source that quotes against it, that is every leg.
 */
export function findBrokenPegs(
  legs: readonly FxLeg[],
  released: readonly string[],
): ReadonlySet<string> {
  const broken = new Set<string>();
  for (const anchor of new Set(PEGS.map((peg) => peg.anchor))) {
    const held = PEGS.filter(
      (peg) => peg.anchor === anchor && !released.includes(peg.currency),
    ).filter((peg) => legs.some((leg) => isAbout(leg, peg.currency)));
    const rates = crossRatesFrom(
      legs,
      anchor,
      held.map(({ currency }) => currency),
    );
    const reached = held.filter(({ currency }) => rates.has(currency));
    const outside = reached.filter((peg) => {
      const rate = rates.get(peg.currency)?.rate;
      return rate !== undefined && (rate.lt(limit(peg.min)) || rate.gt(limit(peg.max)));
    });
    for (const { currency } of outside) broken.add(currency);
    if (outside.length > 1 && outside.length === reached.length) broken.add(anchor);
  }
  return broken;
}

/** Does the leg say what the currency is worth? */
export const isAbout = (leg: FxLeg, currency: string): boolean =>
  leg.quote === currency || leg.base === currency;

function limit(text: Peg['min']) {
  const rate = parseRate(text);
  if (rate === null) throw new RangeError(`${text} is no limit of a peg`);
  return rate;
}
