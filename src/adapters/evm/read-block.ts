import type { BlockHeader } from '../../domain/onchain/chain-facts.ts';
import { ChainUnreadable } from '../../domain/onchain/chain-nodes.ts';
import { readAddress, readHash, readList, readObject, readQuantity } from './hex.ts';

/** The last second that a JavaScript date can hold (ECMA-262: 8.64e15 ms). */
const SECONDS_MAX = 8_640_000_000_000n;

/** A block of `eth_getBlockByNumber`; null where the node has none. Throws ChainUnreadable. */
export function readBlock(value: unknown): BlockHeader | null {
  if (value === null) return null;
  const block = readObject(value);
  const seconds = readQuantity(block['timestamp']);
  if (seconds > SECONDS_MAX) throw new ChainUnreadable('GARBAGE');
  return {
    number: readQuantity(block['number']),
    hash: readHash(block['hash']),
    parentHash: readHash(block['parentHash']),
    at: new Date(Number(seconds) * 1_000),
  };
}

/** Who sent a transaction of a block, under which nonce. */
export interface SentTransaction {
  readonly hash: string;
  readonly from: string;
  readonly nonce: bigint;
}

/** The transaction of `eth_getTransactionByHash` or of a block asked for in full. Throws ChainUnreadable. */
export function readSent(value: unknown): SentTransaction {
  const transaction = readObject(value);
  return {
    hash: readHash(transaction['hash']),
    from: readAddress(transaction['from']),
    nonce: readQuantity(transaction['nonce']),
  };
}

/** The transactions of a block that was asked for in full. Throws ChainUnreadable. */
export function readSentIn(value: unknown): readonly SentTransaction[] {
  return readList(readObject(value)['transactions']).map(readSent);
}
