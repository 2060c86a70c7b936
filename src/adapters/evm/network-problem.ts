import type { Network } from '../../domain/onchain/network.ts';
import type { Environment } from '../../domain/scope.ts';

/** WRONG: must not be used as it is. UNREADABLE: a node did not say; asking later may help. */
export interface NetworkProblem {
  readonly kind: 'WRONG' | 'UNREADABLE';
  readonly environment: Environment;
  readonly network: Network;
  /** The path of the setting: `rpcUrls[1]`. */
  readonly field: string;
  /** A sentence for operators, without any part of a URL. */
  readonly problem: string;
}

/** What a check found, before it says of which network. */
export type Finding = Pick<NetworkProblem, 'kind' | 'field' | 'problem'>;
