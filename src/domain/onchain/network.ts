import type { Environment } from '../scope.ts';

/** The networks that payments may go over; each is also the name of its rail. */
export const NETWORKS = ['ETHEREUM', 'BASE', 'OPTIMISM', 'ARBITRUM', 'POLYGON'] as const;

export type Network = (typeof NETWORKS)[number];

const NAMES: ReadonlySet<string> = new Set(NETWORKS);

/** Whether a rail is a network: then no bank pays over it. */
export const isNetwork = (rail: string): rail is Network => NAMES.has(rail);

/** One of our chains: test and live share no node, key or contract. */
export interface ChainPlace {
  readonly environment: Environment;
  readonly network: Network;
}

/** The one workflow that pays over a chain. */
export const chainWorkflowId = ({ environment, network }: ChainPlace): string =>
  `chain/${environment}/${network}`;

/** A token that is listed on a network, known by its contract alone. */
export interface ListedAsset {
  /** USDC, EURC or USDT; always six decimals. */
  readonly asset: string;
  /** In the mixed case of EIP-55. */
  readonly contract: string;
  /** The smallest and largest payment, in minor units. */
  readonly min: bigint;
  readonly max: bigint;
}

/** How deep a block must lie: so many blocks under the head, or under one of the node's own tags. */
export type Depth =
  | { readonly kind: 'BLOCKS'; readonly blocks: number }
  | { readonly kind: 'TAG'; readonly tag: 'safe' | 'finalized' };

/** When what a block holds is believed of a network: docs/how-to/operate-networks.md. */
export interface Depths {
  /** For amounts up to 10,000 units of the asset. */
  readonly credit: Depth;
  /** For amounts above. */
  readonly creditAbove: Depth;
  readonly final: Depth;
}
