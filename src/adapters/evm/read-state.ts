import { encodeFunctionData, getAddress } from 'viem/utils';
import type { BlockRef } from '../../domain/onchain/chain-facts.ts';
import type { BalanceQuery } from '../../domain/onchain/chain-nodes.ts';
import type { EvmNode } from './evm-node.ts';
import { readData, readQuantity } from './hex.ts';
import type { RpcCall } from './json-rpc.ts';

/** `balanceOf(address)` of EIP-20. */
const BALANCE_OF = [
  {
    type: 'function',
    name: 'balanceOf',
    stateMutability: 'view',
    inputs: [{ name: 'owner', type: 'address' }],
    outputs: [{ name: 'balance', type: 'uint256' }],
  },
] as const;

/** The state after a block, which is named by its hash: a number names another one after a reorganisation. */
const after = ({ hash }: BlockRef) => ({ blockHash: hash, requireCanonical: true });

/** The next nonce of an address after the block (EIP-1898). Throws ChainUnreadable. */
export function readNonceAt(node: EvmNode, address: string, block: BlockRef): Promise<bigint> {
  const calls = [{ method: 'eth_getTransactionCount', params: [address, after(block)] }];
  return node.read(calls, ([count]) => readQuantity(count));
}

/** Wei after the block. Throws ChainUnreadable. */
export function readNativeBalance(node: EvmNode, owner: string, block: BlockRef): Promise<bigint> {
  const calls = [{ method: 'eth_getBalance', params: [owner, after(block)] }];
  return node.read(calls, ([balance]) => readQuantity(balance));
}

/** The data of the call that asks a token for a balance. */
export const tokenBalanceData = (owner: string): `0x${string}` =>
  encodeFunctionData({ abi: BALANCE_OF, args: [getAddress(owner)] });

/** The call itself, of the state after the block. */
export const tokenBalanceCall = ({ contract, owner }: BalanceQuery, block: BlockRef): RpcCall => ({
  method: 'eth_call',
  params: [{ to: contract, data: tokenBalanceData(owner) }, after(block)],
});

/** What a token answers. Throws ChainUnreadable for anything but one word. */
export const readBalanceWord = (answer: unknown): bigint => BigInt(readData(answer, 32));

/** Minor units of a token after the block. Throws ChainUnreadable, also where no contract answers. */
export const readTokenBalance = (
  node: EvmNode,
  query: BalanceQuery,
  block: BlockRef,
): Promise<bigint> =>
  node.read([tokenBalanceCall(query, block)], ([balance]) => readBalanceWord(balance));
