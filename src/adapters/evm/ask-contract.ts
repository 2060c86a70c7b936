import { encodeFunctionData, getAddress, isHex } from 'viem/utils';
import type { ContractQuestion } from '../../domain/onchain/ask-contract.ts';
import { agree, resultOf, type EvmNodes } from './evm-node.ts';
import { readData } from './hex.ts';
import type { RpcAnswer } from './json-rpc.ts';
import { isRevert } from './try-call.ts';

/** ERC-1271. */
const IS_VALID_SIGNATURE = [
  {
    type: 'function',
    name: 'isValidSignature',
    stateMutability: 'view',
    inputs: [
      { name: 'hash', type: 'bytes32' },
      { name: 'signature', type: 'bytes' },
    ],
    outputs: [{ name: 'magicValue', type: 'bytes4' }],
  },
] as const;

/** What a contract answers that takes the signature for its own: the function's selector, filled up. */
const TAKEN = `0x1626ba7e${'0'.repeat(56)}`;

/**
 * Whether the contract at an address takes a signature for its own, on top of the newest block and at all
 * nodes alike. A revert and any other answer are a no, as is an address without code. Throws
 * ChainUnreadable, also where the nodes differ.
 */
export function askContract(
  nodes: EvmNodes,
  { address, hash, signature }: Omit<ContractQuestion, 'network'>,
): Promise<boolean> {
  if (!isHex(hash) || !isHex(signature)) throw new TypeError('hash and signature must be hex');
  const data = encodeFunctionData({ abi: IS_VALID_SIGNATURE, args: [hash, signature] });
  const calls = [{ method: 'eth_call', params: [{ to: getAddress(address), data }, 'latest'] }];
  return agree(nodes, (node) => node.judge(calls, ([answer]) => isTaken(answer)));
}

function isTaken(answer: RpcAnswer | undefined): boolean {
  if (answer !== undefined && isRevert(answer)) return false;
  return readData(answer && resultOf(answer)).startsWith(TAKEN);
}
