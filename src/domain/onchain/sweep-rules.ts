import type { GasFees } from './chain-facts.ts';
import { firstFees } from './transaction-fees.ts';
import type { NetworkSetup } from './network-setup.ts';
import { SALTS_MAX, SWEEP_GAS_MAX } from './signing-policy.ts';

/** What is swept on a network, and when. */
export interface SweepRules {
  readonly tokens: readonly SweptToken[];
  /** In wei per gas: while the network asks for more, nothing is swept. */
  readonly maxFeePerGas: bigint;
  /** Between rounds, in ms. */
  readonly everyMs: number;
}

export interface SweptToken {
  readonly asset: string;
  /** In EIP-55's mixed case. */
  readonly contract: string;
  /** Minor units: less than that is left where it lies. */
  readonly floor: bigint;
}

/** The rules of a network; null where nothing of it is swept. */
export function sweepRules(
  { assets, sweeps }: Pick<NetworkSetup, 'assets' | 'sweeps'>,
  everyMs: number,
): SweepRules | null {
  if (sweeps === null) return null;
  const tokens = assets.flatMap(({ asset, contract }) => {
    const floor = sweeps.floors[asset];
    return floor === undefined ? [] : [{ asset, contract, floor }];
  });
  return { tokens, maxFeePerGas: sweeps.maxFeePerGas, everyMs };
}

/** Sweeps of one signer account that are under way at a time; the other nonces are for payments. */
export const SWEEPS_OPEN_MAX = 4;

/** A signer account with so many nonces under way sweeps nothing: payments need it. */
export const BUSY_NONCES = 8;

/**
 * Units of gas of a sweep, and of each address in it: a new proxy and a first balance of the treasury take less
 * than that. Nodes' estimates are no use here: the factory goes on where an address runs out of gas, so that the
 * least that "works" moves nothing.
 */
const BASE_GAS = 60_000n;
const ADDRESS_GAS = 150_000n;

/** What payments of a signer account may take while a sweep waits: 16 transfers. Units of gas. */
const PAYMENTS_GAS = 16n * 100_000n;

/** What a sweep of so many addresses may use. Units of gas. */
export function sweepGas(addresses: number): bigint {
  const gas = BASE_GAS + ADDRESS_GAS * BigInt(addresses);
  return gas < SWEEP_GAS_MAX ? gas : SWEEP_GAS_MAX;
}

/**
 * The most that a sweep offers: an eighth below what any transaction may, so that one which uses its nonce up can
 * always take its place.
 */
export function sweepCaps({ maxFeePerGas }: SweepRules, caps: GasFees): GasFees {
  const most = (caps.maxFeePerGas * 8n) / 9n;
  return {
    maxFeePerGas: maxFeePerGas < most ? maxFeePerGas : most,
    maxPriorityFeePerGas: (caps.maxPriorityFeePerGas * 8n) / 9n,
  };
}

/** What a sweep offers; null while the network asks for more than sweeps or any transaction may. */
export const sweepFees = (suggested: GasFees, rules: SweepRules, caps: GasFees): GasFees | null =>
  firstFees(suggested, sweepCaps(rules, caps));

/**
 * How many addresses a signer account can afford to sweep at once with so many wei, payments' gas kept back: 0 to 50.
 */
export function affordableAddresses(coins: bigint, { maxFeePerGas }: GasFees): number {
  const units = coins / maxFeePerGas - PAYMENTS_GAS - BASE_GAS;
  if (units < ADDRESS_GAS) return 0;
  const most = units / ADDRESS_GAS;
  return most < BigInt(SALTS_MAX) ? Number(most) : SALTS_MAX;
}
