/** How hot addresses of a network are kept in gas by one of them. In wei. */
export interface TopUpRules {
  /** The gas account, one of the network's hot addresses, in EIP-55's mixed case. It is never topped up itself. */
  readonly from: string;
  /** Another hot address that has less is topped up. The gas account keeps as much for itself. */
  readonly floor: bigint;
  /** What it has after that. */
  readonly target: bigint;
}

/** The same with what signers give at most, in wei: in any 60 minutes, over all signer accounts of the network. */
export interface CappedTopUps extends TopUpRules {
  readonly hourMax: bigint;
}

/** What the nodes say that an address has, in wei. */
interface CoinsAtDepths {
  readonly latest: bigint;
  readonly final: bigint;
}

/**
 * Wei that a signer account is to be given; null where it has enough. It is short only where both blocks say so, and
 * what either of them has counts: coins that have just come are no reason for more, nor are those that a reorganisation
 * may take back.
 */
export function topUpValue(
  { latest, final }: CoinsAtDepths,
  { floor, target }: TopUpRules,
): bigint | null {
  const most = latest > final ? latest : final;
  return most < floor ? target - most : null;
}

/** What the gas account must have so that the next signer account in need can be topped up. In wei. */
export const gasAccountNeeds = ({ floor, target }: TopUpRules): bigint => floor + target;

/** What a gas account must have to give so much: fees of it and of all that it has under way, and its own floor. */
export const givingTakes = (
  { floor }: TopUpRules,
  given: { readonly value: bigint; readonly fee: bigint; readonly owed: bigint },
): bigint => floor + given.value + given.fee + given.owed;

/** How much of an asset the hot addresses of a network are to hold together, in minor units. */
export interface HotRange {
  readonly asset: string;
  /** In EIP-55's mixed case. */
  readonly contract: string;
  /** Less than that is to be filled up from outside. */
  readonly floor: bigint;
  /** More than that belongs into the treasury. */
  readonly cap: bigint;
}

/** LOW: less than the floor. HIGH: more than the cap. */
export type HotLevel = 'LOW' | 'WITHIN' | 'HIGH';

/** How minor units of an asset at hot addresses stand to its floor and cap. */
export function hotLevel(held: bigint, { floor, cap }: Pick<HotRange, 'floor' | 'cap'>): HotLevel {
  if (held < floor) return 'LOW';
  return held > cap ? 'HIGH' : 'WITHIN';
}
