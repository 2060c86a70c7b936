import type { ListedNetworks } from '../../domain/onchain/listed-networks.ts';
import type { ListedAsset, Network } from '../../domain/onchain/network.ts';
import type { CorridorTable } from '../../domain/payments/corridors/corridor-table.ts';
import type { Environment } from '../../domain/scope.ts';
import type { EncodeTransfer } from './ready-attempt.ts';

/** Where money can go, and over which rails a connector of the environment pays. */
export interface ServedCorridors {
  readonly corridors: CorridorTable;
  readonly isServed: (rail: string) => boolean;
  /** What may be paid to wallets of a network; null where nothing may be. */
  readonly assetsOf: (network: Network) => readonly ListedAsset[] | null;
  /** What may come in over a network; null where nothing may. */
  readonly depositsOf: (network: Network) => readonly ListedAsset[] | null;
}

export interface CorridorDeps {
  readonly corridors: CorridorTable;
  readonly networks: ListedNetworks;
  /** How the environment's connector of a rail writes its orders; null where none pays over the rail. */
  readonly encoderFor: (environment: Environment, rail: string) => EncodeTransfer | null;
}

/** The corridors that a payment of the environment can take, nothing over networks that are stopped. */
export function servedIn(
  { corridors, networks, encoderFor }: CorridorDeps,
  environment: Environment,
  stopped: ReadonlySet<Network> = new Set(),
): ServedCorridors {
  const isServed = (rail: string) => encoderFor(environment, rail) !== null;
  const openAt = (network: Network) =>
    stopped.has(network) ? null : networks.assetsOf(environment, network);
  return {
    ...{ corridors, isServed },
    assetsOf: (network) => (isServed(network) ? openAt(network) : null),
    depositsOf: openAt,
  };
}
