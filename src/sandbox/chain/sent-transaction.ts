import { decodeFunctionData, isAddressEqual, keccak256, parseTransaction } from 'viem';
import { recoverTransactionAddress, toHex, trim } from 'viem';
import type { Address, Hex, TransactionSerializedEIP1559 } from 'viem';
import { magicMinorPart } from '../../domain/money/amount.ts';
import { TOKEN_ABI } from './chain-contracts.ts';

/** A token's transfer that a transaction, or a call that is only tried, asks for. */
interface AskedTransfer {
  readonly token: Address;
  readonly to: Address;
  /** Minor units. */
  readonly amount: bigint;
}

/** A signed transaction as a pool keeps it. */
export interface SentTransaction {
  readonly hash: Hex;
  readonly raw: Hex;
  readonly from: Address;
  readonly nonce: number;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly transfer: AskedTransfer | null;
  /** As `eth_getTransactionByHash` answers while no block holds it. */
  readonly pending: Readonly<Record<string, unknown>>;
}

/**
 * What the sandbox does with a transfer. REVERTED: its transaction is mined and moves nothing, and from then
 * on the call fails when it is tried. FROZEN: the same, and the call fails from the start. REORGED: its block
 * is replaced after four more, and it is mined again. ANSWER_DROPPED: it is taken without an answer.
 * DROPPED_TWICE: the pool forgets it two times. NEVER_MINED and BUMPED_TWICE: it waits, for ever or until
 * two others took its place. EMPTIED: the sender holds nothing until a refill.
 */
export type TransferFate =
  | 'PLAIN'
  | 'REVERTED'
  | 'FROZEN'
  | 'REORGED'
  | 'ANSWER_DROPPED'
  | 'DROPPED_TWICE'
  | 'NEVER_MINED'
  | 'BUMPED_TWICE'
  | 'EMPTIED';

const FATES: Readonly<Record<number, TransferFate>> = {
  1: 'REVERTED',
  2: 'REORGED',
  3: 'ANSWER_DROPPED',
  4: 'DROPPED_TWICE',
  5: 'NEVER_MINED',
  6: 'EMPTIED',
  7: 'BUMPED_TWICE',
};

/** By the address first: its issuer has frozen it whatever is sent. By the cents of the amount else. */
export function transferFate({ to, amount }: AskedTransfer): TransferFate {
  if (to.toLowerCase().endsWith('bad3')) return 'FROZEN';
  return FATES[magicMinorPart(amount, 'USDC') ?? 0] ?? 'PLAIN';
}

/** Reads the calldata of a transfer; whatever follows its two arguments is ignored, as tokens do. */
export function readTransfer(
  token: Address | null | undefined,
  data: Hex | undefined,
  tokens: readonly Address[],
): AskedTransfer | null {
  if (!token || data === undefined || data.length < 2 + 2 * (4 + 32 + 32)) return null;
  if (!tokens.some((listed) => isAddressEqual(listed, token))) return null;
  try {
    const call = decodeFunctionData({ abi: TOKEN_ABI, data });
    if (call.functionName !== 'transfer') return null;
    return { token, to: call.args[0], amount: call.args[1] };
  } catch {
    return null;
  }
}

/** Reads a raw EIP-1559 transaction. Throws what viem throws for anything else. */
export async function readSent(raw: Hex, tokens: readonly Address[]): Promise<SentTransaction> {
  const serializedTransaction = raw as TransactionSerializedEIP1559;
  const fields = parseTransaction(serializedTransaction);
  const from = await recoverTransactionAddress({ serializedTransaction });
  const { nonce = 0, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n, to = null, data } = fields;
  const hash = keccak256(raw);
  return {
    ...{ hash, raw, from, nonce, maxFeePerGas, maxPriorityFeePerGas },
    transfer: readTransfer(to, data, tokens),
    pending: {
      ...{ hash, from: from.toLowerCase(), to: to?.toLowerCase() ?? null, type: '0x2' },
      ...{ blockHash: null, blockNumber: null, transactionIndex: null },
      ...{ input: data ?? '0x', nonce: toHex(nonce), chainId: toHex(fields.chainId) },
      ...{ value: toHex(fields.value ?? 0n), gas: toHex(fields.gas ?? 0n), accessList: [] },
      ...{ gasPrice: toHex(maxFeePerGas), maxFeePerGas: toHex(maxFeePerGas) },
      maxPriorityFeePerGas: toHex(maxPriorityFeePerGas),
      ...{ r: quantity(fields.r), s: quantity(fields.s) },
      ...{ v: toHex(fields.yParity ?? 0), yParity: toHex(fields.yParity ?? 0) },
    },
  };
}

/** JSON-RPC writes numbers without leading zeros. */
function quantity(word: Hex | undefined): Hex {
  const short = trim(word ?? '0x00');
  return short === '0x00' ? '0x0' : toHex(BigInt(short));
}
