import { getAddress } from 'viem/utils';
import { ChainUnreadable } from '../../domain/onchain/chain-nodes.ts';

/**
 * Readers of what nodes write, by the Ethereum JSON-RPC specification ("Hex encoding"): quantities have
 * no zero at the front, data has two digits a byte. All of them throw ChainUnreadable for anything else.
 */

const QUANTITY = /^0x(?:0|[1-9a-f][0-9a-f]{0,63})$/i;
const DATA = /^0x(?:[0-9a-f]{2})*$/i;

/** A whole number of at most 256 bits. */
export function readQuantity(value: unknown): bigint {
  if (typeof value !== 'string' || !QUANTITY.test(value)) throw new ChainUnreadable('GARBAGE');
  return BigInt(value);
}

/** Bytes in lower case; of exactly so many where `size` is given. */
export function readData(value: unknown, size?: number): string {
  if (typeof value !== 'string' || !DATA.test(value)) throw new ChainUnreadable('GARBAGE');
  if (size !== undefined && value.length !== 2 + size * 2) throw new ChainUnreadable('GARBAGE');
  return value.toLowerCase();
}

/** A hash of a block or a transaction: 0x and 64 digits in lower case. */
export function readHash(value: unknown): string {
  return readData(value, 32);
}

/** In EIP-55's mixed case. */
export function readAddress(value: unknown): string {
  return getAddress(readData(value, 20));
}

/** A record of named fields. */
export function readObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ChainUnreadable('GARBAGE');
  }
  return value as Record<string, unknown>;
}

/** A list of anything. */
export function readList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new ChainUnreadable('GARBAGE');
  return value as unknown[];
}

/** A number as calls carry it. */
export function toQuantity(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}
