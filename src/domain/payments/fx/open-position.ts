import type { Money } from '../../ledger/movements.ts';
import { formatAmount } from '../../money/amount.ts';
import { parseRate, UNIT_RATE, type Rate } from './rate.ts';

const NOTHING = UNIT_RATE.minus(UNIT_RATE);

/**
 * What we are exposed to, in the base currency: the greater of all that is long and all that is short, as
 * the Basel Committee's shorthand method adds positions up (MAR40.3). The base itself is no risk.
 * `positions` are long where positive; `rateOf` answers units of a currency for one of the base. Null
 * where a currency that is open has no rate.
 */
export function netOpenPosition(
  positions: readonly Money[],
  baseCurrency: string,
  rateOf: (currency: string) => string | null,
): Rate | null {
  const certain = positions.map(({ currency, minor }) => ({ currency, most: minor, least: minor }));
  return widestOpenPosition(certain, baseCurrency, rateOf);
}

/** What we may come to have of a currency, between two bounds, long positive. */
export interface UncertainPosition {
  readonly currency: string;
  readonly most: bigint;
  readonly least: bigint;
}

/** The same where positions are uncertain: no position within the bounds is larger than the answer. */
export function widestOpenPosition(
  positions: readonly UncertainPosition[],
  baseCurrency: string,
  rateOf: (currency: string) => string | null,
): Rate | null {
  let long = NOTHING;
  let short = NOTHING;
  for (const { currency, most, least } of positions) {
    if (currency === baseCurrency || (most <= 0n && least >= 0n)) continue;
    const rate = rateOf(currency);
    const [mostLong, mostShort] = [
      valueInBase({ currency, minor: most > 0n ? most : 0n }, rate),
      valueInBase({ currency, minor: least < 0n ? least : 0n }, rate),
    ];
    if (mostLong === null || mostShort === null) return null;
    long = long.plus(mostLong);
    short = short.plus(mostShort);
  }
  return long.gt(short) ? long : short;
}

/** The size of an amount in the base currency, its sign left out; null where there is no rate. */
export function valueInBase({ currency, minor }: Money, rate: string | null): Rate | null {
  const size = parseRate(formatAmount(minor < 0n ? -minor : minor, currency));
  const units = rate === null ? null : parseRate(rate);
  if (units === null) return null;
  return size === null ? NOTHING : size.div(units);
}
