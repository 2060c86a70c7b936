import {
  bytesToHex,
  getAddress,
  hexToBytes,
  keccak256,
  parseTransaction,
  serializeTransaction,
} from 'viem/utils';
import type { GasFees } from './chain-facts.ts';

/** A transaction of type 2 (EIP-1559) with an empty access list: the one kind that we make. */
export interface ChainTransaction extends GasFees {
  readonly chainId: bigint;
  readonly nonce: bigint;
  /** The most units of gas that it may use. */
  readonly gas: bigint;
  /** In EIP-55's mixed case. */
  readonly to: string;
  /** In wei: 0 but where a signer account is given gas. */
  readonly value: bigint;
  readonly data: Uint8Array;
}

/** A signature over secp256k1. */
interface ChainSignature {
  /** 0x and 64 lower-case hex digits. */
  readonly r: string;
  readonly s: string;
  readonly yParity: 0 | 1;
}

/** What only the signer account's turn decides about a transaction. */
type TransactionTurn = GasFees & Pick<ChainTransaction, 'chainId' | 'nonce' | 'gas'>;

/** Uses up a nonce and moves nothing: 0 wei from the address to itself. */
export function selfTransfer(turn: TransactionTurn, address: string): ChainTransaction {
  const { chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas } = turn;
  const fees = { maxFeePerGas, maxPriorityFeePerGas };
  return { chainId, nonce, gas, ...fees, to: address, value: 0n, data: new Uint8Array() };
}

/** What `selfTransfer` uses, and room for chains that count otherwise. Units of gas. */
export const COIN_GAS = 50_000n;

/**
 * The bytes that are signed (EIP-2718: 0x02 and the RLP of the fields). Throws RangeError for a chain or
 * nonce over 2^53, and viem's errors for a tip over the whole fee or what is no address.
 */
export function encodeUnsigned(transaction: ChainTransaction): Uint8Array {
  return hexToBytes(serializeTransaction(toViem(transaction)));
}

/** The bytes that nodes take: the same fields and the signature. Throws as `encodeUnsigned` does. */
export function encodeSigned(transaction: ChainTransaction, signature: ChainSignature): Uint8Array {
  const { r, s, yParity } = signature;
  const viemSignature = { r: r as `0x${string}`, s: s as `0x${string}`, yParity };
  return hexToBytes(serializeTransaction(toViem(transaction), viemSignature));
}

/** The fields of an unsigned transaction; null unless `encodeUnsigned` gives exactly these bytes. */
export function decodeUnsigned(bytes: Uint8Array): ChainTransaction | null {
  const read = decode(bytes);
  return read?.signature === null ? read.transaction : null;
}

/**
 * The fields and the signature of a signed transaction; null unless `encodeSigned` gives exactly these
 * bytes. Whose signature it is, and whether it is one at all, the caller finds out.
 */
export function decodeSigned(
  raw: Uint8Array,
): { readonly transaction: ChainTransaction; readonly signature: ChainSignature } | null {
  const read = decode(raw);
  return read?.signature ? { transaction: read.transaction, signature: read.signature } : null;
}

/** The hash by which the chain knows a signed transaction, and which is signed of an unsigned one. */
export function transactionHash(bytes: Uint8Array): `0x${string}` {
  return keccak256(bytes);
}

interface Decoded {
  readonly transaction: ChainTransaction;
  readonly signature: ChainSignature | null;
}

function decode(bytes: Uint8Array): Decoded | null {
  if (bytes[0] !== 2) return null;
  try {
    const read = readFields(bytesToHex(bytes) as `0x02${string}`);
    const { transaction, signature } = read;
    // What viem reads leniently (an access list, a zero before a number) comes out as other bytes.
    const again =
      signature === null ? encodeUnsigned(transaction) : encodeSigned(transaction, signature);
    return isEqual(again, bytes) ? read : null;
  } catch {
    return null;
  }
}

function readFields(bytes: `0x02${string}`): Decoded {
  const { chainId, nonce, to, r, s, yParity, ...read } = parseTransaction(bytes);
  const isSigned = r !== undefined && s !== undefined && (yParity === 0 || yParity === 1);
  return {
    transaction: {
      chainId: BigInt(chainId),
      nonce: BigInt(nonce ?? 0),
      gas: read.gas ?? 0n,
      maxFeePerGas: read.maxFeePerGas ?? 0n,
      maxPriorityFeePerGas: read.maxPriorityFeePerGas ?? 0n,
      to: getAddress(to ?? '0x'),
      value: read.value ?? 0n,
      data: hexToBytes(read.data ?? '0x'),
    },
    signature: isSigned ? { r, s, yParity } : null,
  };
}

function toViem(transaction: ChainTransaction) {
  const { gas, maxFeePerGas, maxPriorityFeePerGas, value, data } = transaction;
  return {
    ...({ type: 'eip1559', gas, maxFeePerGas, maxPriorityFeePerGas, value } as const),
    chainId: toCount(transaction.chainId),
    nonce: toCount(transaction.nonce),
    to: transaction.to as `0x${string}`,
    data: bytesToHex(data),
  };
}

/** Chains and nonces are numbers in viem. */
function toCount(value: bigint): number {
  const count = Number(value);
  if (!Number.isSafeInteger(count) || count < 0) {
    throw new RangeError('a chain id or nonce is out of range');
  }
  return count;
}

const isEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);
