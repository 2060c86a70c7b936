import type { BlockRef, TokenTransfer } from './chain-facts.ts';

/** Which Transfer events are asked for. */
export interface TransferQuery {
  /** The contracts of the listed tokens. */
  readonly contracts: readonly string[];
  /** TO: what arrives at one of the addresses; FROM: what leaves one. */
  readonly direction: 'TO' | 'FROM';
  /** Any number: they are asked about in parts, or matched here against all transfers of few blocks. */
  readonly addresses: readonly string[];
  /** The first and the last block, at most BLOCKS_MAX in all. */
  readonly from: bigint;
  readonly to: bigint;
}

/** Blocks of one question: nodes bound the width of a range. */
export const BLOCKS_MAX = 2_000n;

/** A transfer that a node lists. Nothing is proved by it: that takes the transaction's receipts. */
export interface ListedTransfer extends Omit<TokenTransfer, 'ordinal'> {
  readonly transactionHash: string;
  readonly block: BlockRef;
  /** Its place within the block, as the node says. */
  readonly logIndex: bigint;
}

/** In the chain's order. A node may list too much and, cut short without an error, too little. */
export interface TransferListing {
  /** What every provider lists. */
  readonly byAll: readonly ListedTransfer[];
  /** What some provider lists and another one does not. */
  readonly bySome: readonly ListedTransfer[];
}

/** Where a network's token transfers are listed. */
export interface TransferLogs {
  /**
   * The transfers of a range of blocks. Throws ChainUnreadable where a provider does not answer for the
   * whole range, and RangeError for a question over the bounds.
   */
  listTransfers(query: TransferQuery): Promise<TransferListing>;
}
