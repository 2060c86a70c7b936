import type { Environment } from '../scope.ts';
import type { ListedAsset, Network } from './network.ts';
import type { ListedNetwork } from './network-setup.ts';
import {
  NO_TRAVEL_RULE,
  type TravelRulePolicy,
} from '../payments/travel-rule/travel-rule-policy.ts';
import { NO_PROOF_ASKED, type WalletProofPolicy } from './wallet-proof-policy.ts';

/** The networks that an installation pays over, what may be paid there, and to whose wallets. */
export interface ListedNetworks {
  /** What may be paid now; null where the environment has no such network, or operators let nothing go. */
  assetsOf(environment: Environment, network: Network): readonly ListedAsset[] | null;
  /** Whose wallets may be paid there. */
  proofPolicy(environment: Environment): WalletProofPolicy;
  /** What makes the addresses of deposits on all networks; null where the environment has no network. */
  factoryOf(environment: Environment): string | null;
  /** What goes with transfers to wallets. */
  travelRule(environment: Environment): TravelRulePolicy;
}

type Listing = Pick<ListedNetwork, 'network' | 'status' | 'assets' | 'factory'>;

const NO_PROOFS_ASKED = { test: NO_PROOF_ASKED, live: NO_PROOF_ASKED };
const NO_TRAVEL_RULES = { test: NO_TRAVEL_RULE, live: NO_TRAVEL_RULE };

/** The listings and policies of an installation; without listings, no payment goes to a wallet. */
export function createListedNetworks(
  listings: Readonly<Record<Environment, readonly Listing[]>> = { test: [], live: [] },
  policies: Readonly<Record<Environment, WalletProofPolicy>> = NO_PROOFS_ASKED,
  travelRules: Readonly<Record<Environment, TravelRulePolicy>> = NO_TRAVEL_RULES,
): ListedNetworks {
  return {
    assetsOf(environment, network) {
      const listing = listings[environment].find((one) => one.network === network);
      return listing?.status === 'ACTIVE' ? listing.assets : null;
    },
    proofPolicy: (environment) => policies[environment],
    factoryOf: (environment) => listings[environment][0]?.factory ?? null,
    travelRule: (environment) => travelRules[environment],
  };
}

/** Whether payments in an asset may leave over a network of the environment. */
export function isAssetListed(
  networks: ListedNetworks,
  environment: Environment,
  { network, asset }: { readonly network: Network; readonly asset: string },
): boolean {
  const assets = networks.assetsOf(environment, network) ?? [];
  return assets.some((listed) => listed.asset === asset);
}
