import type { CallOutcome } from '../../domain/onchain/chain-facts.ts';
import { ChainUnreadable, type TriedCall } from '../../domain/onchain/chain-nodes.ts';
import { askEach, resultOf, type EvmNodes } from './evm-node.ts';
import { readData, readQuantity } from './hex.ts';
import type { RpcAnswer } from './json-rpc.ts';

/** "execution error", which carries the bytes of a revert (go-ethereum, `revertError`). */
const REVERTED = 3;

/**
 * What a call would do on top of the newest block. FAILS takes a revert, or the answer `false` of a
 * token, at all nodes; any other error says nothing about the call. Of gas the highest estimate counts.
 * Throws ChainUnreadable, also where the nodes differ.
 */
export async function tryCall(
  nodes: EvmNodes,
  { from, to, data }: TriedCall,
): Promise<CallOutcome> {
  const call = { from, to, data: `0x${Buffer.from(data).toString('hex')}` };
  const calls = [
    { method: 'eth_call', params: [call, 'latest'] },
    { method: 'eth_estimateGas', params: [call] },
  ];
  const outcomes = await askEach(nodes, (node) =>
    node.judge(calls, ([tried, estimate]) => judge(tried, estimate)),
  );
  const gas: bigint[] = [];
  for (const outcome of outcomes) {
    if (outcome.kind === 'WORKS') gas.push(outcome.gas);
  }
  if (gas.length === 0) return { kind: 'FAILS' };
  if (gas.length < outcomes.length) throw new ChainUnreadable('NODES_DIFFER');
  return { kind: 'WORKS', gas: gas.reduce((high, one) => (one > high ? one : high)) };
}

/** Whether a node said that the call itself fails. */
export const isRevert = (answer: RpcAnswer): boolean =>
  answer.kind === 'ERROR' && (answer.code === REVERTED || answer.hasData);

function judge(tried: RpcAnswer | undefined, estimate: RpcAnswer | undefined): CallOutcome {
  if (tried === undefined || estimate === undefined) throw new ChainUnreadable('GARBAGE');
  if (isRevert(tried)) return { kind: 'FAILS' };
  const answer = readData(resultOf(tried));
  // Some tokens answer nothing; the others a word that is true or false (EIP-20).
  if (answer === '0x') return { kind: 'WORKS', gas: readQuantity(resultOf(estimate)) };
  const word = BigInt(readData(answer, 32));
  if (word === 0n) return { kind: 'FAILS' };
  if (word !== 1n) throw new ChainUnreadable('GARBAGE');
  return { kind: 'WORKS', gas: readQuantity(resultOf(estimate)) };
}
