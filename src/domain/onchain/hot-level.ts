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
