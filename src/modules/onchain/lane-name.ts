import type { LaneKey } from '../../db/onchain/chain-lane-store.ts';
import { platformScope } from '../../domain/platform-account.ts';
import { ENVIRONMENTS, type Scope } from '../../domain/scope.ts';

/** What a lane is called where two operators decide about it: `environment/network/address`. */
export const nameOfLane = ({ environment, network, address }: LaneKey): string =>
  `${environment}/${network}/${address}`;

/** Lanes belong to no customer: two operators decide about one in the platform account, in the lane's environment. */
export function scopeOfLane(name: string): Scope {
  const environment = ENVIRONMENTS.find((one) => name.startsWith(`${one}/`));
  if (environment === undefined) throw new Error(`${name} names no lane`);
  return platformScope(environment);
}
