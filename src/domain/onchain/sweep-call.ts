import {
  bytesToHex,
  decodeFunctionData,
  encodeFunctionData,
  hexToBytes,
  parseAbi,
} from 'viem/utils';

const ABI = parseAbi(['function sweep(bytes32[] salts, address token)']);

/** A call of the factory: what lies at the addresses of these salts goes to its treasury. */
interface SweepCall {
  /** 0x and 64 lower-case hex digits each. */
  readonly salts: readonly string[];
  /** In EIP-55's mixed case; the zero address stands for the network's own coin. */
  readonly token: string;
}

/** The calldata of a sweep. Throws viem's errors for what is neither salt nor address. */
export function encodeSweepCall({ salts, token }: SweepCall): Uint8Array {
  const args = [salts as readonly `0x${string}`[], token as `0x${string}`] as const;
  return hexToBytes(encodeFunctionData({ abi: ABI, functionName: 'sweep', args }));
}

/** What the calldata asks the factory to do; null unless `encodeSweepCall` gives exactly these bytes. */
export function decodeSweepCall(data: Uint8Array): SweepCall | null {
  const given = bytesToHex(data);
  try {
    const { args } = decodeFunctionData({ abi: ABI, data: given });
    const isSame = encodeFunctionData({ abi: ABI, functionName: 'sweep', args }) === given;
    return isSame ? { salts: args[0], token: args[1] } : null;
  } catch {
    return null;
  }
}
