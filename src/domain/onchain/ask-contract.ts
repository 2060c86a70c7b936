import type { Network } from './network.ts';

export interface ContractQuestion {
  readonly network: Network;
  /** Of the wallet, in EIP-55's mixed case. */
  readonly address: string;
  /** 0x and 64 hex digits: what was signed. */
  readonly hash: string;
  /** 0x and hex digits, of any length. */
  readonly signature: string;
}

/**
 * Asks the contract that a wallet is whether it takes a signature for its own (ERC-1271). False also where
 * no contract is at the address. Throws ChainUnreadable.
 */
export type AskContract = (question: ContractQuestion) => Promise<boolean>;
