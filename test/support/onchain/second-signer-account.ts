import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { ChainDeps } from '../../../src/modules/onchain/chain-deps.ts';
import { createTestSigner, type SignerHarness } from './signer-harness.ts';

/** Another hot address with its own key, without tokens and gas, and what a poll cycle needs to pay from both. */
export interface SecondSignerAccount {
  readonly address: string;
  readonly both: Pick<ChainDeps, 'settings' | 'signerOf'>;
}

/** Adds an address; it stands before the harness's own where two have as much under way. */
export function addSecondSignerAccount({
  deps,
  signerAccount,
}: SignerHarness): SecondSignerAccount {
  const key = generatePrivateKey();
  const { address } = privateKeyToAccount(key);
  const signer = createTestSigner(key);
  return {
    address,
    both: {
      settings: { ...deps.settings, hotAddresses: [address, signerAccount] },
      signerOf: (asked) => (asked === address ? signer : deps.signerOf(asked)),
    },
  };
}
