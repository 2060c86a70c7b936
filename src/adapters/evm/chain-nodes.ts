import type { ChainNodes } from '../../domain/onchain/chain-nodes.ts';
import type { Depths } from '../../domain/onchain/network.ts';
import type { TransferLogs } from '../../domain/onchain/transfer-logs.ts';
import { agree, askEach, blockCall, readBlockAt } from './evm-node.ts';
import { findByNonce } from './find-by-nonce.ts';
import { findSigned } from './find-signed.ts';
import { findReceipts } from './find-receipts.ts';
import { findTransaction, findTransactions } from './find-transaction.ts';
import type { JsonRpcLimits } from './json-rpc.ts';
import { listTransfers } from './list-transfers.ts';
import { openNodes } from './open-nodes.ts';
import { readTokenBalances } from './read-balances.ts';
import { readBlocks } from './read-blocks.ts';
import { readHeads } from './read-heads.ts';
import { readNativeBalance, readNonceAt, readTokenBalance } from './read-state.ts';
import { suggestFees } from './suggest-fees.ts';
import { tryCall } from './try-call.ts';

interface ChainNodesOptions {
  /** http or https. Two providers that have nothing in common; one will do where nothing is at stake. */
  readonly rpcUrls: readonly string[];
  readonly depths: Depths;
  readonly limits?: Partial<JsonRpcLimits>;
}

/** The nodes of one network over JSON-RPC; `close` ends their connections. */
export type EvmChainNodes = ChainNodes & TransferLogs & { close(): Promise<void> };

/**
 * Reads one network through all the given providers: what only one says is not believed. Throws
 * TypeError for no URL, or one that is none; the text of a URL is in no error.
 */
export function createChainNodes({ rpcUrls, depths, limits }: ChainNodesOptions): EvmChainNodes {
  const { nodes, close } = openNodes(rpcUrls, limits);

  async function broadcast(raws: readonly Uint8Array[]): Promise<void> {
    if (raws.length === 0) return;
    const calls = raws.map((raw) => {
      const bytes = `0x${Buffer.from(raw).toString('hex')}`;
      return { method: 'eth_sendRawTransaction', params: [bytes] };
    });
    // "Already known" and "nonce too low" are errors too: what is on the chain is asked for later.
    await askEach(nodes, (node) => node.readEach(calls, () => null));
  }

  return {
    heads: () => readHeads(nodes, depths),
    blockAt: (number) =>
      agree(nodes, (node) =>
        node.read([blockCall(number)], ([result]) => readBlockAt(result, number)),
      ),
    nonceAt: (address, block) => agree(nodes, (node) => readNonceAt(node, address, block)),
    blocksAt: (numbers) => readBlocks(nodes, numbers),
    findTransaction: (hash) => findTransaction(nodes, hash),
    findTransactions: (hashes) => findTransactions(nodes, hashes),
    findReceipts: (queries) => findReceipts(nodes, queries),
    findByNonce: (address, nonce, upTo) => findByNonce(nodes, address, nonce, upTo),
    findSigned: (hash) => findSigned(nodes, hash),
    tokenBalance: (contract, owner, block) =>
      agree(nodes, (node) => readTokenBalance(node, { contract, owner }, block)),
    tokenBalances: (queries, block) => readTokenBalances(nodes, queries, block),
    nativeBalance: (owner, block) => agree(nodes, (node) => readNativeBalance(node, owner, block)),
    suggestFees: (of = 'NEW') => suggestFees(nodes, of),
    tryCall: (call) => tryCall(nodes, call),
    broadcast,
    listTransfers: (query) => listTransfers(nodes, query),
    close,
  };
}
