import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Environment } from '../scope.ts';
import { checksummed } from './address.ts';

const ADDRESS_BYTES = 20;
const SALT_BYTES = 32;
/** What keeps the hashes of CREATE2 apart from those of CREATE (EIP-1014). */
const MARK = Uint8Array.of(0xff);

/** Init code of a minimal proxy around the address of its implementation: EIP-1167. */
const CLONE_BEFORE = hexToBytes('3d602d80600a3d3981f3363d3d373d3d3d363d73');
const CLONE_AFTER = hexToBytes('5af43d82803e903d91602b57fd5bf3');

/** Where a contract comes to lie. Addresses are 0x and 40 hex digits. */
interface ClonePlace {
  readonly factory: string;
  /** The contract that every clone calls. */
  readonly implementation: string;
}

/**
 * The address at which `deployer` creates a contract by CREATE2 (EIP-1014), in EIP-55's case. Throws
 * RangeError for a salt that is not 32 bytes or a deployer that is no address.
 */
export function create2Address(deployer: string, salt: Uint8Array, initCode: Uint8Array): string {
  if (salt.length !== SALT_BYTES) throw new RangeError('a salt has 32 bytes');
  const hash = keccak_256(concatBytes(MARK, addressBytes(deployer), salt, keccak_256(initCode)));
  return checksummed(bytesToHex(hash.slice(-ADDRESS_BYTES)));
}

/** The salt of what we call `id` in an environment: no two ids share one, nor test and live. */
export const cloneSalt = (environment: Environment, id: string): Uint8Array =>
  keccak_256(utf8ToBytes(`${environment}/${id}`));

/** The address of the minimal proxy (EIP-1167) that the factory makes with a salt, made or not. */
export function cloneAddress({ factory, implementation }: ClonePlace, salt: Uint8Array): string {
  const initCode = concatBytes(CLONE_BEFORE, addressBytes(implementation), CLONE_AFTER);
  return create2Address(factory, salt, initCode);
}

/** How a contract's first own contract is named before it is hashed: RLP of its address and of nonce 1 (EIP-161). */
const FIRST_MADE = { before: Uint8Array.of(0xd6, 0x94), after: Uint8Array.of(0x01) };

/** The contract that every clone of a factory calls: the first one that the factory made (EIP-161, nonce 1). */
export function implementationOf(factory: string): string {
  const { before, after } = FIRST_MADE;
  const hash = keccak_256(concatBytes(before, addressBytes(factory), after));
  return checksummed(bytesToHex(hash.slice(-ADDRESS_BYTES)));
}

/**
 * The address that tokens for `id` are sent to, in EIP-55's case: the clone that the environment's factory makes
 * of its forwarder. The same on every network where the factory is at the same address. Throws RangeError for a
 * factory that is no address.
 */
export function forwarderAddress(factory: string, environment: Environment, id: string): string {
  const implementation = implementationOf(factory);
  return cloneAddress({ factory, implementation }, cloneSalt(environment, id));
}

function addressBytes(address: string): Uint8Array {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) throw new RangeError('this is no address');
  return hexToBytes(address.slice(2));
}
