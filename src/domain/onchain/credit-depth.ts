import type { Depth, Depths } from './network.ts';

/** 10,000 units of an asset, in minor units: they all have six decimals. */
export const LARGE_ABOVE = 10_000_000_000n;

/** How deep a deposit of so many minor units must lie to be credited. */
export const creditDepthOf = (depths: Depths, amount: bigint): Depth =>
  amount > LARGE_ABOVE ? depths.creditAbove : depths.credit;
