/** A block by number and hash: a number alone names another block after a reorganisation. */
export interface BlockRef {
  readonly number: bigint;
  /** 0x and 64 lower-case hex digits. */
  readonly hash: string;
}

/** A block with its time. */
export interface BlockHeader extends BlockRef {
  readonly parentHash: string;
  readonly at: Date;
}

/** One Transfer event of an ERC-20 token (EIP-20). Addresses in EIP-55's mixed case. */
export interface TokenTransfer {
  readonly contract: string;
  readonly from: string;
  readonly to: string;
  /** Minor units of the token. */
  readonly amount: bigint;
  /** The log's place within its own receipt, from 0: `logIndex` moves in reorganisations. */
  readonly ordinal: number;
}

/** A mined transaction as the receipts of both providers tell it. */
export interface MinedTransaction {
  readonly hash: string;
  readonly from: string;
  readonly nonce: bigint;
  readonly block: BlockHeader;
  readonly isSuccess: boolean;
  /** In wei: gas used times the effective price, and on OP chains the fee of L1. */
  readonly fee: bigint;
  readonly transfers: readonly TokenTransfer[];
}

/** What the receipts of all providers say of a transaction's tokens. The block's hash commits to all of it. */
export interface MinedTransfers {
  readonly block: BlockHeader;
  readonly isSuccess: boolean;
  readonly transfers: readonly TokenTransfer[];
}

/** The newest block of a chain and the newest ones that are as deep as asked. */
export interface ChainHeads {
  readonly latest: BlockHeader;
  readonly credit: BlockHeader;
  readonly creditAbove: BlockHeader;
  readonly final: BlockHeader;
  /** The node whose newest block is lower than another's, counted from 1, and by how many; null where none is. */
  readonly behind: { readonly node: number; readonly blocks: bigint } | null;
}

/**
 * What the nodes know of a hash. MINED: a block that both providers call canonical holds it. POOL: at
 * least one node has it and no block does. UNKNOWN: every node answered, and none has it.
 */
export type TransactionFinding =
  | { readonly kind: 'MINED'; readonly transaction: MinedTransaction }
  | { readonly kind: 'POOL' }
  | { readonly kind: 'UNKNOWN' };

/** Fees of EIP-1559 in wei per gas. */
export interface GasFees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** What a call would do now, as both providers simulate it. */
export type CallOutcome =
  { readonly kind: 'WORKS'; readonly gas: bigint } | { readonly kind: 'FAILS' };
