import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { create2Address, implementationOf } from './create2.ts';

/**
 * Deploys what it is sent by CREATE2, at the same address on every network: it has no owner and no key, and was
 * itself deployed by one transaction that is valid everywhere
 * (https://github.com/Arachnid/deterministic-deployment-proxy).
 */
export const DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/** The code of the deployer. */
export const DEPLOYER_CODE = hexToBytes(
  '7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3',
);

/** Where a value stands in the code, in bytes. */
interface CodePlace {
  readonly start: number;
  readonly length: number;
}

/** A contract as it was compiled. Code as 0x and hex digits. */
export interface CompiledContract {
  readonly bytecode: string;
  readonly deployedBytecode: string;
  /** Where the constructor puts each immutable value, in the order of their declaration. */
  readonly immutables: readonly (readonly CodePlace[])[];
}

/** The two contracts of deposit addresses. */
export interface ForwarderContracts {
  readonly forwarder: CompiledContract;
  readonly factory: CompiledContract;
}

/** A factory for one treasury: what deploys it, and what lies on the chain then. */
interface FactoryDeployment {
  /** In EIP-55's mixed case, as every address here. */
  readonly factory: string;
  /** What the deployer is sent: a salt, and the factory's code with its treasury. */
  readonly data: Uint8Array;
}

/** One for all: the treasury alone makes two factories differ. */
const SALT = keccak_256(utf8ToBytes('causeway factory'));

/** How a factory for the treasury is deployed. Throws RangeError where the treasury is no address. */
export function factoryDeployment(
  { factory: { bytecode } }: ForwarderContracts,
  treasury: string,
): FactoryDeployment {
  const initCode = concatBytes(hexToBytes(bytecode.slice(2)), wordOf(treasury));
  return {
    factory: create2Address(DEPLOYER, SALT, initCode),
    data: concatBytes(SALT, initCode),
  };
}

/** The code of a factory for the treasury and of its forwarder, byte for byte, with their addresses. */
export function factoryCodes(
  { forwarder, factory: compiled }: ForwarderContracts,
  { factory, treasury }: { readonly factory: string; readonly treasury: string },
): readonly { readonly address: string; readonly code: Uint8Array }[] {
  const implementation = implementationOf(factory);
  return [
    // Its immutable values in the order of their declaration: contracts/ForwarderFactory.sol.
    { address: factory, code: deployedCode(compiled, [treasury, implementation]) },
    { address: implementation, code: deployedCode(forwarder, [treasury]) },
  ];
}

function deployedCode(
  { deployedBytecode, immutables }: CompiledContract,
  values: readonly string[],
): Uint8Array {
  if (immutables.length !== values.length) throw new RangeError('other values are asked for');
  const code = hexToBytes(deployedBytecode.slice(2));
  for (const [index, places] of immutables.entries()) {
    for (const { start } of places) code.set(wordOf(values[index] ?? ''), start);
  }
  return code;
}

/** An address as the 32 bytes that the constructor is given. */
function wordOf(address: string): Uint8Array {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) throw new RangeError('this is no address');
  return hexToBytes(`${'0'.repeat(24)}${address.slice(2)}`);
}

/** 0x and hex digits, as transactions are shown to people. */
export const hexOf = (bytes: Uint8Array): string => `0x${bytesToHex(bytes)}`;
