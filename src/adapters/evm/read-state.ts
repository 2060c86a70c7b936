import { encodeFunctionData, getAddress } from 'viem/utils';
import type { BlockRef } from '../../domain/onchain/chain-facts.ts';
import type { EvmNode } from './evm-node.ts';
import { readData, readQuantity } from './hex.ts';

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

/** Minor units of a token after the block. Throws ChainUnreadable, also where no contract answers. */
export function readTokenBalance(
  node: EvmNode,
  { contract, owner, block }: { contract: string; owner: string; block: BlockRef },
): Promise<bigint> {
  const data = encodeFunctionData({
    abi: BALANCE_OF,
    args: [getAddress(owner)],
  });
  const calls = [{ method: 'eth_call', params: [{ to: contract, data }, after(block)] }];
  return node.read(calls, ([balance]) => BigInt(readData(balance, 32)));
}
