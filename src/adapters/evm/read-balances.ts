import { decodeFunctionResult, encodeFunctionData, getAddress, isHex } from 'viem/utils';
import type { BlockRef } from '../../domain/onchain/chain-facts.ts';
import { ChainUnreadable, type BalanceQuery } from '../../domain/onchain/chain-nodes.ts';
import { sameOf, type EvmNode, type EvmNodes } from './evm-node.ts';
import { readData } from './hex.ts';
import { BATCH_MAX } from './json-rpc.ts';
import { readBalanceWord, tokenBalanceCall, tokenBalanceData } from './read-state.ts';

/** Multicall3, at one address on every network that has it (github.com/mds1/multicall). */
const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11';

const AGGREGATE3 = [
  {
    type: 'function',
    name: 'aggregate3',
    stateMutability: 'payable',
    inputs: [
      {
        name: 'calls',
        type: 'tuple[]',
        components: [
          { name: 'target', type: 'address' },
          { name: 'allowFailure', type: 'bool' },
          { name: 'callData', type: 'bytes' },
        ],
      },
    ],
    outputs: [
      {
        name: 'returnData',
        type: 'tuple[]',
        components: [
          { name: 'success', type: 'bool' },
          { name: 'returnData', type: 'bytes' },
        ],
      },
    ],
  },
] as const;

/** Balances of one call: each takes some 30,000 units of gas, and nodes bound a call by 50 million. */
const TOGETHER = 250;

type Balance = bigint | ChainUnreadable;

/**
 * Minor units of tokens after the block, in the order of the queries, many in one call where the network has Multicall3. In
 * the place of one that cannot be read is why.
 */
export async function readTokenBalances(
  nodes: EvmNodes,
  queries: readonly BalanceQuery[],
  block: BlockRef,
): Promise<Balance[]> {
  const read = await Promise.all(nodes.map((node) => balancesOf(node, queries, block)));
  return queries.map((_, place) =>
    sameOf(read.map((one) => one[place] ?? new ChainUnreadable('NO_ANSWER'))),
  );
}

async function balancesOf(
  node: EvmNode,
  queries: readonly BalanceQuery[],
  block: BlockRef,
): Promise<Balance[]> {
  const balances: Balance[] = [];
  for (let at = 0; at < queries.length; at += TOGETHER) {
    const some = queries.slice(at, at + TOGETHER);
    balances.push(...((await aggregate(node, some, block)) ?? (await alone(node, some, block))));
  }
  return balances;
}

/** Null where the node has no Multicall3 there, or does not take the call. */
async function aggregate(
  node: EvmNode,
  queries: readonly BalanceQuery[],
  block: BlockRef,
): Promise<Balance[] | null> {
  if (queries.length <= BATCH_MAX) return null;
  const calls = queries.map(({ contract, owner }) => {
    return { target: getAddress(contract), allowFailure: true, callData: tokenBalanceData(owner) };
  });
  const data = encodeFunctionData({ abi: AGGREGATE3, args: [calls] });
  const after = { blockHash: block.hash, requireCanonical: true };
  const call = { method: 'eth_call', params: [{ to: MULTICALL3, data }, after] };
  const [results] = await node.readEach([call], (answer) => decode(readData(answer)));
  if (results === undefined || results instanceof ChainUnreadable) return null;
  if (results?.length !== queries.length) return null;
  return results.map(({ success, returnData }) =>
    success && returnData.length === 66
      ? readBalanceWord(returnData)
      : node.unreadable('NO_BALANCE'),
  );
}

function decode(data: string) {
  if (!isHex(data) || data === '0x') return null;
  try {
    return decodeFunctionResult({ abi: AGGREGATE3, data });
  } catch {
    return null;
  }
}

/** One call each, in batches. */
function alone(
  node: EvmNode,
  queries: readonly BalanceQuery[],
  block: BlockRef,
): Promise<Balance[]> {
  const calls = queries.map((query) => tokenBalanceCall(query, block));
  return node.readEach(calls, readBalanceWord);
}
