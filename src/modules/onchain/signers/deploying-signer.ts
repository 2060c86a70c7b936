import type { GasFees } from '../../../domain/onchain/chain-facts.ts';
import { SigningRefused, type Signer } from '../../../domain/onchain/signer.ts';
import type { SigningRefusal } from '../../../domain/onchain/signing-policy.ts';
import { decodeUnsigned } from '../../../domain/onchain/transaction.ts';
import { completeSignature } from './complete-signature.ts';
import type { KeyStore } from './key-store.ts';

/** The one thing that a signer of deployments signs. */
export interface DeployingRules {
  /** Of the key, in EIP-55's mixed case. */
  readonly address: string;
  readonly chainId: bigint;
  /** The contract that deploys, and what it is sent. */
  readonly to: string;
  readonly data: Uint8Array;
  /** No transaction offers more, or may use more. */
  readonly gasCaps: GasFees;
  readonly gasMax: bigint;
}

/** Signs one deployment, of no value, and refuses everything else. */
export function createDeployingSigner(rules: DeployingRules, keyStore: KeyStore): Signer {
  return {
    address: rules.address,
    async sign(given) {
      const unsigned = Uint8Array.from(given);
      const transaction = decodeUnsigned(unsigned);
      if (transaction === null) throw refused('UNREADABLE');
      const { chainId, to, value, data, gas, maxFeePerGas, maxPriorityFeePerGas } = transaction;
      if (chainId !== rules.chainId) throw refused('OTHER_CHAIN');
      const { gasCaps } = rules;
      if (maxFeePerGas > gasCaps.maxFeePerGas) throw refused('FEE_OVER_CAP');
      if (maxPriorityFeePerGas > gasCaps.maxPriorityFeePerGas) throw refused('FEE_OVER_CAP');
      if (gas > rules.gasMax) throw refused('GAS_OVER_CAP');
      const isSame = to === rules.to && value === 0n && Buffer.from(data).equals(rules.data);
      if (!isSame) throw refused('UNKNOWN_CALL');
      return completeSignature(transaction, await keyStore.sign(unsigned), rules.address);
    },
  };
}

const refused = (why: SigningRefusal): SigningRefused => new SigningRefused(why);
