import { decodeFunctionResult, encodeFunctionData } from 'viem/utils';
import type { ListedAsset } from '../../domain/onchain/network.ts';
import { resultOf, type EvmNode } from './evm-node.ts';
import { readData } from './hex.ts';
import type { RpcAnswer } from './json-rpc.ts';
import type { Finding } from './network-problem.ts';

/** EIP-20's optional functions. */
const ABOUT = [
  {
    type: 'function',
    name: 'decimals',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ name: 'decimals', type: 'uint8' }],
  },
  {
    type: 'function',
    name: 'symbol',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ name: 'symbol', type: 'string' }],
  },
] as const;

/** Every asset that can be listed has as many. */
const DECIMALS = 6;

/** What the issuers' contracts call themselves; Tether's newer ones write a sign of their own. */
const SYMBOLS: Readonly<Record<string, readonly string[]>> = {
  USDC: ['USDC'],
  EURC: ['EURC'],
  USDT: ['USDT', 'USDT0', 'USD₮', 'USD₮0'],
};

/**
 * Whether the contract is there, counts in millionths and calls itself what it is listed as. The contract's
 * address alone says which token it is: any contract can bear a symbol, a wrong one is a wrong address.
 * Throws ChainUnreadable where the node cannot be read.
 */
export async function checkAsset(
  node: EvmNode,
  { asset, contract }: ListedAsset,
  field: string,
): Promise<Finding[]> {
  const ask = (functionName: 'decimals' | 'symbol') => {
    const call = { to: contract, data: encodeFunctionData({ abi: ABOUT, functionName }) };
    return { method: 'eth_call', params: [call, 'latest'] };
  };
  const code = { method: 'eth_getCode', params: [contract, 'latest'] };
  const calls = [code, ask('decimals'), ask('symbol')];
  const wrong = (problem: string): Finding => ({
    kind: 'WRONG',
    field: `${field}.contract`,
    problem,
  });
  return node.judge(calls, ([codeAnswer, decimals, symbol]) => {
    if (readData(codeAnswer === undefined ? null : resultOf(codeAnswer)) === '0x') {
      return [wrong('has no code on this chain')];
    }
    const findings: Finding[] = [];
    if (decode(decimals, 'decimals') !== DECIMALS) {
      findings.push(wrong(`does not count in ${DECIMALS} decimals`));
    }
    const called = decode(symbol, 'symbol');
    if (typeof called !== 'string' || !(SYMBOLS[asset] ?? [asset]).includes(called)) {
      findings.push(wrong(`does not call itself ${asset}`));
    }
    return findings;
  });
}

/** Undefined where the contract reverted, or answered something else than it should. */
function decode(
  answer: RpcAnswer | undefined,
  functionName: 'decimals' | 'symbol',
): number | string | undefined {
  if (answer?.kind !== 'RESULT') return undefined;
  const data = readData(answer.value) as `0x${string}`;
  try {
    return decodeFunctionResult({ abi: ABOUT, functionName, data });
  } catch {
    return undefined;
  }
}
