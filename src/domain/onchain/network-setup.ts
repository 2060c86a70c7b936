import type { GasFees } from './chain-facts.ts';
import type { Depths, ListedAsset, Network } from './network.ts';
import type { HotRange } from './hot-level.ts';

/** PAUSED: operators let nothing new go over the network, or it went back behind a final block. */
export const NETWORK_STATUSES = ['ACTIVE', 'PAUSED'] as const;
type NetworkStatus = (typeof NETWORK_STATUSES)[number];

/** What partners are told of a network, and what wallets and payments are judged by. */
export interface ListedNetwork {
  readonly network: Network;
  /** EIP-155. */
  readonly chainId: number;
  readonly status: NetworkStatus;
  readonly assets: readonly ListedAsset[];
  readonly depths: Depths;
  /** Hot addresses, factory and treasury, in EIP-55's case: no payment goes there. */
  readonly own: readonly string[];
  /** Makes the addresses of deposits, the same on every network, in EIP-55's case. */
  readonly factory: string;
}

/** How deposits of a network are swept to the treasury. */
export interface SweepSetup {
  /** By asset, in minor units: what lies at an address is left there below it. An asset without one is not swept. */
  readonly floors: Readonly<Record<string, bigint>>;
  /** In wei per gas: while the network asks for more, nothing is swept. */
  readonly maxFeePerGas: bigint;
}

/** Everything that operators say of a network: docs/how-to/operate-networks.md. */
export interface NetworkSetup extends ListedNetwork {
  /** 0x and 64 lower-case hex digits of the first block's hash; null in test where it is not told. */
  readonly genesis: string | null;
  /** Two providers; in test one is enough. They hold keys: nothing but the nodes' client sees them. */
  readonly rpcUrls: readonly string[];
  /** Nonces that are not final which a hot address has at a time, at the most. */
  readonly notFinalMax: number;
  /** The hot addresses that sign, in EIP-55's case. */
  readonly hotAddresses: readonly string[];
  /** No transaction offers more, in wei per gas. */
  readonly gasCaps: GasFees;
  /** Where deposits are swept to, the same on every network, in EIP-55's case. */
  readonly treasury: string;
  /** By asset, in minor units: a transfer to a deposit address below that is only counted. */
  readonly depositFloors: Readonly<Record<string, bigint>>;
  /** Null: deposits stay where they are. */
  readonly sweeps: SweepSetup | null;
  /** Of the assets that have a floor and a cap. */
  readonly hot: readonly HotRange[];
}

/** What may be told to others, without URLs. */
export function listedNetwork(setup: NetworkSetup): ListedNetwork {
  const { network, chainId, status, assets, depths, own, factory } = setup;
  return { network, chainId, status, assets, depths, own, factory };
}
