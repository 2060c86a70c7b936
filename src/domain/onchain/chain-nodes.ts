import type {
  BlockHeader,
  BlockRef,
  CallOutcome,
  ChainHeads,
  GasFees,
  MinedTransfers,
  TransactionFinding,
} from './chain-facts.ts';

/** A call of a contract that is tried without being sent. */
export interface TriedCall {
  readonly from: string;
  readonly to: string;
  readonly data: Uint8Array;
}

/** Whose balance of which token is wanted. */
export interface BalanceQuery {
  readonly contract: string;
  readonly owner: string;
}

/** A transaction whose receipt is wanted. */
export interface ReceiptQuery {
  readonly hash: string;
  /** Of the block that was said to hold it; null where none is known. */
  readonly blockNumber: bigint | null;
}

/**
 * The nodes of one network, read through two providers of which either may lie, lag or be silent.
 * Every method but `broadcast` throws ChainUnreadable where the providers do not agree or do not answer:
 * asking again later is safe. Those that ask for many things at once, in as few requests as the nodes take, have the
 * error in the place of what could not be read instead, and answer in the order of what was asked for.
 */
export interface ChainNodes {
  /** The lower of what both call the newest, the same for each depth. */
  heads(): Promise<ChainHeads>;
  /** The canonical block of that number; null above the head. */
  blockAt(number: bigint): Promise<BlockHeader | null>;
  /** The same of many numbers. */
  blocksAt(numbers: readonly bigint[]): Promise<(BlockHeader | null | ChainUnreadable)[]>;
  /** How many transactions of the address the block and those before it hold: its next nonce. */
  nonceAt(address: string, block: BlockRef): Promise<bigint>;
  findTransaction(hash: string): Promise<TransactionFinding>;
  /** The same of many hashes. */
  findTransactions(hashes: readonly string[]): Promise<(TransactionFinding | ChainUnreadable)[]>;
  /** The tokens that mined transactions moved; null where no block that all call canonical holds one. */
  findReceipts(
    queries: readonly ReceiptQuery[],
  ): Promise<(MinedTransfers | null | ChainUnreadable)[]>;
  /** The hash of the mined transaction of that address and nonce up to the block; null: not used yet. */
  findByNonce(address: string, nonce: bigint, upTo: BlockRef): Promise<string | null>;
  /**
   * The signed bytes of a mined transaction, which have that hash; null where it is of a kind that we do not
   * make.
   */
  findSigned(hash: string): Promise<Uint8Array | null>;
  /** Minor units of the token at the block. */
  tokenBalance(contract: string, owner: string, block: BlockRef): Promise<bigint>;
  /** The same of many. */
  tokenBalances(
    queries: readonly BalanceQuery[],
    block: BlockRef,
  ): Promise<(bigint | ChainUnreadable)[]>;
  /** Wei at the block. */
  nativeBalance(owner: string, block: BlockRef): Promise<bigint>;
  /**
   * What a transaction should offer now to be mined soon: the lower of both, so that no provider alone makes it dear.
   * Of what is STUCK the higher.
   */
  suggestFees(of?: 'NEW' | 'STUCK'): Promise<GasFees>;
  tryCall(call: TriedCall): Promise<CallOutcome>;
  /** Sends signed transactions, in their order, to every node; what they answer decides nothing. Never throws. */
  broadcast(raws: readonly Uint8Array[]): Promise<void>;
}

/** The nodes did not answer, or not the same; `why` is one of the reader's own codes. */
export class ChainUnreadable extends Error {
  override readonly name = 'ChainUnreadable';
  readonly why: string;

  constructor(why: string) {
    super(`the chain could not be read: ${why}`);
    this.why = why;
  }
}

/** Something of a chain was not read, and the rest was: the next look need not wait for longer than any. */
export class ChainPartlyUnread extends ChainUnreadable {}

/** Whether what was asked for is larger than a node gives, or than is read of one. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof ChainUnreadable && error.why.endsWith('_TOO_LARGE');
