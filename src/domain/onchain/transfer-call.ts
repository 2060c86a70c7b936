import { sha256 } from '@noble/hashes/sha2.js';
import {
  bytesToHex,
  decodeFunctionData,
  encodeFunctionData,
  hexToBytes,
  parseAbi,
} from 'viem/utils';

const ABI = parseAbi(['function transfer(address to, uint256 amount)']);

const CALL_BYTES = 4 + 32 + 32;
const MARK_BYTES = 16;

/** A token's `transfer` (EIP-20) with the mark of the payment that it pays. */
interface TransferCall {
  /** In EIP-55's mixed case. */
  readonly to: string;
  /** Minor units of the token. */
  readonly amount: bigint;
  /** `referenceMark` of the payment. */
  readonly mark: Uint8Array;
}

/**
 * The 16 bytes that follow the call of a transfer: the first half of SHA-256 of the payment's reference.
 * Tokens ignore them; who holds our references finds a payment's transfer on the chain by them.
 */
export function referenceMark(reference: string): Uint8Array {
  return sha256(new TextEncoder().encode(reference)).slice(0, MARK_BYTES);
}

/**
 * The calldata of a marked transfer. Throws RangeError for a mark of another size, and viem's errors for
 * what is no address or does not fit 256 bits: callers have checked both.
 */
export function encodeTransferCall({ to, amount, mark }: TransferCall): Uint8Array {
  if (mark.length !== MARK_BYTES) throw new RangeError('a mark has 16 bytes');
  const args = [to as `0x${string}`, amount] as const;
  const call = encodeFunctionData({ abi: ABI, functionName: 'transfer', args });
  const data = new Uint8Array(CALL_BYTES + MARK_BYTES);
  data.set(hexToBytes(call));
  data.set(mark, CALL_BYTES);
  return data;
}

/** What the calldata asks a token to do; null unless `encodeTransferCall` gives exactly these bytes. */
export function decodeTransferCall(data: Uint8Array): TransferCall | null {
  if (data.length !== CALL_BYTES + MARK_BYTES) return null;
  const given = bytesToHex(data.subarray(0, CALL_BYTES));
  try {
    const { args } = decodeFunctionData({ abi: ABI, data: given });
    const isSame = encodeFunctionData({ abi: ABI, functionName: 'transfer', args }) === given;
    return isSame
      ? { to: args[0], amount: args[1], mark: Uint8Array.from(data.subarray(CALL_BYTES)) }
      : null;
  } catch {
    return null;
  }
}
