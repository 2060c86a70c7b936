import { drawFrom } from './money-simulation/draw.ts';

/** TO_EUR pays 10.00 EUR from a balance in USD, FROM_EUR 10.00 USD from one in EUR. */
export type Direction = 'TO_EUR' | 'FROM_EUR';

/** What a payment of the market pays out, in minor units of its currency. */
export const TARGET = 1_000n;

const TICK_MOVE_BPS_MAX = 125;
/** A rate is millionths of a euro for a dollar. */
const RATE_PARTS = 1_000_000n;
const FIRST_RATE = 900_000n;

export interface RateMarket {
  /** Units of EUR for a dollar in a tick, as text. */
  rateIn(tick: number): string;
  /** Minor units of its source that the target of a payment costs in a tick, rounded down. */
  costIn(direction: Direction, tick: number): bigint;
  /** Minor units of USD that so much EUR is worth in a tick, rounded down. */
  dollarsFor(euros: bigint, tick: number): bigint;
}

/** A market that goes up or down at random in each tick, from 0. */
export function createRateMarket(seed: number): RateMarket {
  const walk = [FIRST_RATE];
  const partsIn = (tick: number): bigint => {
    while (walk.length <= tick) {
      const move = drawFrom(seed, 0, walk.length).int(-TICK_MOVE_BPS_MAX, TICK_MOVE_BPS_MAX);
      walk.push((walk.at(-1)! * BigInt(10_000 + move)) / 10_000n);
    }
    return walk[tick]!;
  };
  const dollarsFor = (euros: bigint, tick: number) => (euros * RATE_PARTS) / partsIn(tick);
  return {
    dollarsFor,
    rateIn: (tick) => {
      const digits = partsIn(tick).toString().padStart(7, '0');
      return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
    },
    costIn: (direction, tick) =>
      direction === 'TO_EUR' ? dollarsFor(TARGET, tick) : (TARGET * partsIn(tick)) / RATE_PARTS,
  };
}
