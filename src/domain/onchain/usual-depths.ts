import type { Environment } from '../scope.ts';
import type { Depth, Depths, Network } from './network.ts';

const blocks = (count: number): Depth => ({ kind: 'BLOCKS', blocks: count });
const SAFE: Depth = { kind: 'TAG', tag: 'safe' };
const FINALIZED: Depth = { kind: 'TAG', tag: 'finalized' };

/** Chains of test end nowhere but here: a few blocks are enough. */
const TEST: Depths = { credit: blocks(3), creditAbove: blocks(3), final: blocks(6) };

/** Of a chain that writes to Ethereum `safe` says that Ethereum holds the block, but may yet lose it. */
const ROLLUP: Depths = { credit: SAFE, creditAbove: FINALIZED, final: FINALIZED };

const LIVE: Readonly<Record<Network, Depths>> = {
  ETHEREUM: { credit: blocks(12), creditAbove: FINALIZED, final: FINALIZED },
  BASE: ROLLUP,
  OPTIMISM: ROLLUP,
  ARBITRUM: ROLLUP,
  // Its blocks are final after seconds; 50 blocks lie deeper than that.
  POLYGON: { credit: FINALIZED, creditAbove: blocks(50), final: FINALIZED },
};

/** How deep blocks of a network must lie where operators do not say it. */
export const usualDepths = (environment: Environment, network: Network): Depths =>
  environment === 'live' ? LIVE[network] : TEST;
