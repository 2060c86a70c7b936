import { readFileSync } from 'node:fs';
import { encodeDeployData, encodeFunctionData, getAddress, type Abi, type Hex } from 'viem';
import type { TestAnvil } from './anvil.ts';

/** Tokens that do what listed ones might: USDT's oddities, or whatever harms who moves them. */
export type TokenDouble = 'UsdtDouble' | 'HostileToken';

export interface DeployedDouble {
  /** In EIP-55's case. */
  readonly contract: string;
  /** Has the issuer call it, in a block of its own. */
  say(functionName: string, ...args: readonly unknown[]): Promise<void>;
  /** Minor units at an address now. */
  balance(owner: string): Promise<bigint>;
}

/** Deploys one, whose issuer is the node's first account. */
export async function deployDouble(anvil: TestAnvil, name: TokenDouble): Promise<DeployedDouble> {
  const from = anvil.accounts[0]!;
  const file = new URL(`../../../contracts/artefacts/${name}.json`, import.meta.url);
  const { abi, bytecode } = JSON.parse(readFileSync(file, 'utf8')) as { abi: Abi; bytecode: Hex };
  const data = encodeDeployData({ abi, bytecode, args: [from] });
  const { contractAddress } = await anvil.sendAndMine({ from, data });
  if (contractAddress === null) throw new Error('the deployment failed');
  const contract = getAddress(contractAddress);
  return {
    contract,
    async say(functionName, ...args) {
      const call = encodeFunctionData({ abi, functionName, args });
      const { status } = await anvil.sendAndMine({ from, to: contract, data: call });
      if (status !== '0x1') throw new Error(`${functionName} was refused`);
    },
    async balance(owner) {
      const call = encodeFunctionData({ abi, functionName: 'balanceOf', args: [owner] });
      return BigInt(await anvil.rpc<string>('eth_call', { to: contract, data: call }, 'latest'));
    },
  };
}
