import type { Network } from './network.ts';

/** Tokens that an outside payer sends to an address. */
export interface OutsideTransfer {
  /** Chosen by who asks: one transfer an id. */
  readonly id: string;
  readonly network: Network;
  readonly asset: string;
  /** In EIP-55's mixed case. */
  readonly to: string;
  /** Decimal text with the asset's six decimals. */
  readonly amount: string;
}

/**
 * Has an outside payer send tokens on a sandbox chain, each once under its own id: the hash of the transaction. Null
 * where the chain cannot be reached now, or the id belongs to another transfer.
 */
export type PayFromOutside = (transfer: OutsideTransfer) => Promise<string | null>;
