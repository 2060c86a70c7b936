import { TARGET, type Direction, type RateMarket } from './rate-market.ts';

/** As much of a payment as decides what it opens. */
interface OpenPayment {
  readonly direction: Direction;
  /** By its quote, minor units of its source. */
  readonly price: bigint;
  readonly end: 'PAID' | 'NOT_PAID' | null;
  /** What came back of it. */
  readonly back: { readonly euros: bigint } | null;
}

/** Bounds of what the platform may come to have of EUR, in minor units, long positive. */
interface Exposure {
  readonly most: bigint;
  readonly least: bigint;
}

/** A quote that nobody uses, and what of EUR it would bring. */
export interface UnusedQuote {
  readonly euros: bigint;
  readonly expiresAtMs: number;
}

/**
 * What is accepted and not covered, by what the campaign itself knows: paid out and not come back for certain; a payment
 * under way and a quote that may be used, each only where it enlarges the position.
 */
export function exposureOf(
  played: readonly (OpenPayment | undefined)[],
  { covered, unused, nowMs }: { covered: bigint; unused: readonly UnusedQuote[]; nowMs: number },
): Exposure {
  let certain = covered;
  const open: bigint[] = [];
  for (const one of played) {
    if (one?.end === 'PAID') certain += eurosOf(one) - (one.back?.euros ?? 0n);
    else if (one?.end === null) open.push(eurosOf(one));
  }
  open.push(...unused.filter(({ expiresAtMs }) => expiresAtMs > nowMs).map(({ euros }) => euros));
  return {
    most: open.reduce((sum, euros) => (euros > 0n ? sum + euros : sum), certain),
    least: open.reduce((sum, euros) => (euros < 0n ? sum + euros : sum), certain),
  };
}

/** What of EUR a payment brings. */
export const eurosOf = ({ direction, price }: Pick<OpenPayment, 'direction' | 'price'>): bigint =>
  direction === 'TO_EUR' ? -TARGET : price;

/** The largest position within the bounds in minor units of USD, by the market of a tick. */
export function sizeOfExposure(
  market: RateMarket,
  { most, least }: Exposure,
  tick: number,
): bigint {
  const long = market.dollarsFor(most > 0n ? most : 0n, tick);
  const short = market.dollarsFor(least < 0n ? -least : 0n, tick);
  return long > short ? long : short;
}
