import { privateKeyToAccount } from 'viem/accounts';
import { concatHex, encodeFunctionData, keccak256, toHex, type Address, type Hex } from 'viem';
import type { Network } from '../../../src/domain/onchain/network.ts';
import { TOKEN_ABI } from '../../../src/sandbox/chain/chain-contracts.ts';
import { createSandboxChain, type SandboxChain } from '../../../src/sandbox/chain/sandbox-chain.ts';
import type { SandboxNetwork } from '../../../src/sandbox/chain/sandbox-network.ts';
import { packagedAnvil } from './anvil.ts';

/** Its key is public: of tests alone. */
export const HOT_KEY = keccak256(toHex('a hot address of tests'));
export const HOT = privateKeyToAccount(HOT_KEY);

const silent = { info: () => undefined, warn: () => undefined };
const GWEI = 1_000_000_000n;

/** Sandbox chains that are real, faster than in a local run. */
export async function openSandboxChain(
  options: {
    readonly networks?: readonly Network[];
    readonly folder?: string;
    /** In place of the one hot address. */
    readonly hotAddresses?: readonly Address[];
  } = {},
): Promise<SandboxChain> {
  const chain = await createSandboxChain({
    command: packagedAnvil(),
    networks: options.networks ?? ['BASE'],
    folder: options.folder ?? null,
    hotAddresses: options.hotAddresses ?? [HOT.address],
    clock: { now: () => new Date() },
    timings: { blockMs: 40, beforeReorgMs: 3_000, reminedAfterMs: 2_000 },
    log: silent,
    onDeath: () => undefined,
  });
  await chain.listen(0);
  return chain;
}

export interface RpcReply {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Asks one of a network's RPC URLs, as any client would. Throws where the connection is closed. */
export async function askRpc(
  chain: SandboxChain,
  method: string,
  params: readonly unknown[] = [],
  provider = 'a',
  network = 'base',
): Promise<RpcReply> {
  const answer = await fetch(`${chain.url}/rpc/${network}/${provider}`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await answer.json()) as RpcReply;
}

export async function readHead(chain: SandboxChain, provider = 'a'): Promise<number> {
  return Number((await askRpc(chain, 'eth_blockNumber', [], provider)).result);
}

export interface TestTransfer {
  readonly to: Address;
  /** Minor units of USDC. */
  readonly amount: bigint;
  readonly nonce: number;
  /** In gwei per gas. */
  readonly fee?: bigint;
}

/** The calldata of a transfer with sixteen bytes after it. */
export function transferData({ to, amount }: Pick<TestTransfer, 'to' | 'amount'>): Hex {
  const call = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transfer', args: [to, amount] });
  return concatHex([call, '0x00112233445566778899aabbccddeeff']);
}

/** A signed transfer of USDC from a hot address; without `to` a self-transfer of nothing. */
export function signTransfer(
  { chainId, contracts }: Pick<SandboxNetwork, 'chainId' | 'contracts'>,
  transfer: TestTransfer | { readonly nonce: number; readonly fee?: bigint },
  hot = HOT,
): Promise<Hex> {
  const isTransfer = 'to' in transfer;
  return hot.signTransaction({
    type: 'eip1559',
    chainId,
    nonce: transfer.nonce,
    gas: 200_000n,
    maxFeePerGas: (transfer.fee ?? 10n) * GWEI,
    maxPriorityFeePerGas: ((transfer.fee ?? 10n) * GWEI) / 10n,
    to: isTransfer ? contracts.tokens.USDC : hot.address,
    data: isTransfer ? transferData(transfer) : undefined,
  });
}
