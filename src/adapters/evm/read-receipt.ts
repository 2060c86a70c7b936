import type { BlockRef, TokenTransfer } from '../../domain/onchain/chain-facts.ts';
import { ChainUnreadable } from '../../domain/onchain/chain-nodes.ts';
import { readAddress, readData, readHash, readList, readObject, readQuantity } from './hex.ts';

/** Topic of `Transfer(address,address,uint256)` (EIP-20): keccak-256 of that text. */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** The fields of a receipt that count. */
export interface Receipt {
  readonly hash: string;
  readonly from: string;
  readonly block: BlockRef;
  readonly isSuccess: boolean;
  /** In wei: gas used times the effective price. */
  readonly fee: bigint;
  /** In wei: what it cost on L1, where the node tells that; not all nodes of an OP chain do. */
  readonly l1Fee: bigint;
  readonly transfers: readonly TokenTransfer[];
}

/**
 * A receipt of `eth_getTransactionReceipt`; null where the node has none. OP chains add `l1Fee`, what the
 * transaction cost on L1 (specs.optimism.io, "L1-Cost fees"). Throws ChainUnreadable, also where the
 * receipt contradicts itself.
 */
export function readReceipt(value: unknown): Receipt | null {
  if (value === null) return null;
  const receipt = readObject(value);
  const hash = readHash(receipt['transactionHash']);
  const block = readBlockRef(receipt);
  const status = readQuantity(receipt['status']);
  if (status > 1n) throw new ChainUnreadable('GARBAGE');
  const l1Fee = receipt['l1Fee'];
  return {
    hash,
    from: readAddress(receipt['from']),
    block,
    isSuccess: status === 1n,
    fee: readQuantity(receipt['gasUsed']) * readQuantity(receipt['effectiveGasPrice']),
    l1Fee: l1Fee === undefined || l1Fee === null ? 0n : readQuantity(l1Fee),
    transfers: readTransfers(receipt['logs'], { hash, block }),
  };
}

/** A log with where it stands. */
export interface PlacedLog {
  readonly transactionHash: string;
  readonly block: BlockRef;
  /** Within the block. */
  readonly logIndex: bigint;
  /** Null for an event that is no token transfer of EIP-20. */
  readonly transfer: Omit<TokenTransfer, 'ordinal'> | null;
}

/** A log of a receipt or of `eth_getLogs`. Throws ChainUnreadable, also for one that was taken back. */
export function readLog(value: unknown): PlacedLog {
  const log = readObject(value);
  if (log['removed'] === true) throw new ChainUnreadable('REORG');
  const contract = readAddress(log['address']);
  const topics = readList(log['topics']).map(readHash);
  const data = readData(log['data']);
  return {
    transactionHash: readHash(log['transactionHash']),
    block: readBlockRef(log),
    logIndex: readQuantity(log['logIndex']),
    transfer: readTransfer(contract, topics, data),
  };
}

function readBlockRef(place: Readonly<Record<string, unknown>>): BlockRef {
  return { number: readQuantity(place['blockNumber']), hash: readHash(place['blockHash']) };
}

/** The transfers among a receipt's logs, each with its place among all of them. */
function readTransfers(logs: unknown, of: { hash: string; block: BlockRef }): TokenTransfer[] {
  const transfers: TokenTransfer[] = [];
  let last = -1n;
  for (const [ordinal, value] of readList(logs).entries()) {
    const { transactionHash, block, logIndex, transfer } = readLog(value);
    const isOfReceipt = transactionHash === of.hash && block.hash === of.block.hash;
    // The place within the receipt is the event's identity: the order must be the chain's own.
    if (!isOfReceipt || logIndex <= last) throw new ChainUnreadable('GARBAGE');
    last = logIndex;
    if (transfer !== null) transfers.push({ ...transfer, ordinal });
  }
  return transfers;
}

/** Null for other events, and for ERC-721, whose Transfer has a fourth topic. */
function readTransfer(
  contract: string,
  topics: readonly string[],
  data: string,
): PlacedLog['transfer'] {
  const [topic, fromTopic, toTopic, more] = topics;
  if (topic !== TRANSFER_TOPIC || fromTopic === undefined || toTopic === undefined) return null;
  if (more !== undefined || data.length !== 66) return null;
  const [from, to] = [addressOf(fromTopic), addressOf(toTopic)];
  return from === null || to === null ? null : { contract, from, to, amount: BigInt(data) };
}

/** An address fills the lower 20 of a topic's 32 bytes; null where the others are not zero. */
function addressOf(topic: string): string | null {
  return topic.startsWith(`0x${'0'.repeat(24)}`) ? readAddress(`0x${topic.slice(26)}`) : null;
}
