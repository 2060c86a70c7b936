import type { GasFees } from './chain-facts.ts';

/** Bumps of one kind of transaction that a nonce may have. */
export const BUMPS_MAX = 8;

/**
 * What a transaction offers at first: what the nodes suggest, with the tip no higher than its cap; null where
 * the whole fee is over its own.
 */
export function firstFees(suggested: GasFees, caps: GasFees): GasFees | null {
  const { maxFeePerGas } = suggested;
  if (maxFeePerGas <= 0n || maxFeePerGas > caps.maxFeePerGas) return null;
  const tip = smaller(suggested.maxPriorityFeePerGas, caps.maxPriorityFeePerGas);
  return { maxFeePerGas, maxPriorityFeePerGas: smaller(tip, maxFeePerGas) };
}

/**
 * What takes the place of a transaction in the pools: both fees an eighth higher at the least, rounded up,
 * or what the nodes suggest where that is more, and neither over its cap. Nodes keep the earlier one for less
 * than a tenth, and older ones for less than an eighth. Null where a cap leaves no room for it.
 */
export function raisedFees(before: GasFees, suggested: GasFees, caps: GasFees): GasFees | null {
  const least = raised(before.maxFeePerGas);
  const leastTip = raised(before.maxPriorityFeePerGas);
  if (least > caps.maxFeePerGas || leastTip > caps.maxPriorityFeePerGas) return null;
  return voidFees(before, suggested, caps);
}

/**
 * What a void offers: as `raisedFees`, and where a cap leaves no room for that, the cap. Pools that hold the earlier
 * one may keep that then; those that have forgotten it take the void.
 */
export function voidFees(before: GasFees, suggested: GasFees, caps: GasFees): GasFees {
  const raisedFee = larger(raised(before.maxFeePerGas), suggested.maxFeePerGas);
  const maxFeePerGas = smaller(raisedFee, caps.maxFeePerGas);
  const tip = larger(raised(before.maxPriorityFeePerGas), suggested.maxPriorityFeePerGas);
  const tipMax = smaller(caps.maxPriorityFeePerGas, maxFeePerGas);
  return { maxFeePerGas, maxPriorityFeePerGas: smaller(tip, tipMax) };
}

const raised = (fee: bigint): bigint => (fee * 9n + 7n) / 8n;
const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);
const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);
