import { hexToBytes } from 'viem/utils';
import { ChainUnreadable } from '../../domain/onchain/chain-nodes.ts';
import { encodeSigned, transactionHash } from '../../domain/onchain/transaction.ts';
import type { EvmNode, EvmNodes } from './evm-node.ts';
import { readAddress, readData, readObject, readQuantity } from './hex.ts';

/**
 * The signed bytes of a transaction that is mined; null where every node has it and says alike that it is of a kind
 * that we do not make. The bytes have the hash that was asked for, so no node can give others, and none alone can
 * say that a payment is another's. Throws ChainUnreadable where a node does not have it, or says something else.
 */
export async function findSigned(nodes: EvmNodes, hash: string): Promise<Uint8Array | null> {
  const found: (Answer | null)[] = [];
  for (const node of nodes) {
    const answer = await ask(node, hash);
    if (answer !== null && answer.raw !== null && transactionHash(answer.raw) === hash) {
      return answer.raw;
    }
    found.push(answer);
  }
  if (found.includes(null)) throw new ChainUnreadable('NOT_FOUND');
  // Of one kind that has fields which we do not write, all give bytes, and of none those of the hash.
  if (new Set(found.map((answer) => answer?.raw === null)).size > 1) {
    throw new ChainUnreadable('NODES_DIFFER');
  }
  return null;
}

/** What a node that has it says; null for another kind of transaction. */
interface Answer {
  readonly raw: Uint8Array | null;
}

/** Null where the node does not have it. */
function ask(node: EvmNode, hash: string): Promise<Answer | null> {
  const calls = [{ method: 'eth_getTransactionByHash', params: [hash] }];
  return node.read(calls, ([result]) => (result === null ? null : { raw: readSigned(result) }));
}

function readSigned(result: unknown): Uint8Array | null {
  const given = readObject(result);
  // A contract is created without `to`; older types have no price of their own for the tip.
  if (given['type'] !== '0x2' || typeof given['to'] !== 'string') return null;
  const quantity = (name: string): bigint => readQuantity(given[name]);
  const parity = quantity('yParity' in given ? 'yParity' : 'v');
  const halves = { r: toWord(quantity('r')), s: toWord(quantity('s')) };
  const transaction = {
    chainId: quantity('chainId'),
    nonce: quantity('nonce'),
    gas: quantity('gas'),
    maxFeePerGas: quantity('maxFeePerGas'),
    maxPriorityFeePerGas: quantity('maxPriorityFeePerGas'),
    to: readAddress(given['to']),
    value: quantity('value'),
    data: hexToBytes(readData(given['input']) as `0x${string}`),
  };
  try {
    return encodeSigned(transaction, { ...halves, yParity: parity === 0n ? 0 : 1 });
  } catch {
    return null;
  }
}

const toWord = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`;
