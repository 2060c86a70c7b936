import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { ChainDeps } from '../../../src/modules/onchain/chain-deps.ts';
import { createTestSigner, type LaneHarness } from './lane-harness.ts';

/** Another hot address with its own key, without tokens and gas, and what a tick needs to pay from both. */
export interface SecondLane {
  readonly address: string;
  readonly both: Pick<ChainDeps, 'settings' | 'signerOf'>;
}

/** Adds an address; it stands before the harness's own where two have as much under way. */
export function addSecondLane({ deps, lane }: LaneHarness): SecondLane {
  const key = generatePrivateKey();
  const { address } = privateKeyToAccount(key);
  const signer = createTestSigner(key);
  return {
    address,
    both: {
      settings: { ...deps.settings, lanes: [address, lane] },
      signerOf: (asked) => (asked === address ? signer : deps.signerOf(asked)),
    },
  };
}
