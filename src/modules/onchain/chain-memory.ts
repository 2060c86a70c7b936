import type { ChainNews } from '../../db/onchain/chain-transfer-store.ts';
import type { BlockRef, MinedTransaction } from '../../domain/onchain/chain-facts.ts';

/**
 * What a process has read of a chain and need not read again. A block's hash commits to its receipts: what was proved of
 * a transaction stays true of the block, and only whether the block is of the chain is asked anew. It is never needed:
 * a process that begins reads it again.
 */
export interface ChainMemory {
  /** By signer account and hash: what its nonces that are not over were used by. */
  readonly proofs: Map<string, ReadonlyMap<string, MinedTransaction>>;
  /** The reference of the last transfer of a turn that left some untold; the next turn begins behind it. */
  readonly told: Map<ChainNews, string>;
  /** As the last poll cycle that looked saw them; null before the first. */
  chain: KnownChain | null;
}

/** Blocks of one chain. */
interface KnownChain {
  /** The newest one. */
  readonly tip: BlockRef;
  /** Hashes by number of blocks that are of the chain that ends with `tip`. */
  readonly ancestors: ReadonlyMap<bigint, string>;
}

/** A memory that has nothing. */
export const createChainMemory = (): ChainMemory => ({
  proofs: new Map(),
  told: new Map(),
  chain: null,
});
