import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * Why a text is no address to pay to. FORMAT: not 0x and 40 hex digits. CHECKSUM: in mixed case that is
 * not EIP-55's. ZERO: the zero address, where tokens are burnt. PRECOMPILE: built into the network. TOKEN: the
 * contract of a listed token. OURS: one of our own.
 */
export type AddressRule = 'FORMAT' | 'CHECKSUM' | 'ZERO' | 'PRECOMPILE' | 'TOKEN' | 'OURS';

type ReadAddress =
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly rule: AddressRule };

const HEX_ADDRESS = /^0x([0-9a-fA-F]{40})$/;

/**
 * The highest address that a network may have built in: 0x01 to 0x11 and 0x100 of Ethereum, 0x64 to 0x73 of
 * Arbitrum, 0x1000 to 0x1010 of Polygon. No key exists for one that is so low.
 */
const PRECOMPILE_MAX = 0xffffn;

/** An address of 40 hex digits in EIP-55's mixed case. `digits` is without the 0x, in any case. */
export function checksummed(digits: string): string {
  const lower = digits.toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(lower)));
  const cased = lower.replace(/[a-f]/g, (digit, at: number) =>
    Number.parseInt(hash.charAt(at), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${cased}`;
}

/** Whether a text is an address written in EIP-55's mixed case, as it is kept. */
export const isChecksummed = (text: string): boolean =>
  HEX_ADDRESS.test(text) && checksummed(text.slice(2)) === text;

/**
 * Reads an address in whatever case into EIP-55's. In mixed case its checksum must be right; all lower or
 * all upper case carries none (EIP-55). Any address, ours included.
 */
export function readAddress(text: string): ReadAddress {
  const digits = HEX_ADDRESS.exec(text)?.[1];
  if (digits === undefined) return { ok: false, rule: 'FORMAT' };
  const address = checksummed(digits);
  const isMixed = /[a-f]/.test(digits) && /[A-F]/.test(digits);
  if (isMixed && text !== address) return { ok: false, rule: 'CHECKSUM' };
  const value = BigInt(`0x${digits}`);
  if (value === 0n) return { ok: false, rule: 'ZERO' };
  return value <= PRECOMPILE_MAX ? { ok: false, rule: 'PRECOMPILE' } : { ok: true, address };
}

/** Addresses that tokens must not be sent to, in EIP-55's case. */
interface UnpayableAddresses {
  readonly tokens: readonly string[];
  readonly ours: readonly string[];
}

/** Reads an address that we are to pay: `readAddress`, and neither a token's nor ours. */
export function readPayableAddress(text: string, unpayable: UnpayableAddresses): ReadAddress {
  const read = readAddress(text);
  if (!read.ok) return read;
  if (unpayable.tokens.includes(read.address)) return { ok: false, rule: 'TOKEN' };
  return unpayable.ours.includes(read.address) ? { ok: false, rule: 'OURS' } : read;
}
