import { getContractAddress, type Hex } from 'viem';
import type { ReaderHarness } from './reader-harness.ts';
import { mintUsdc, usdcCall } from './usdc.ts';

const wordsOf = (data: string): string[] => {
  const hex = data.slice(2).padEnd(192, '0');
  return [hex.slice(0, 64), hex.slice(64, 128), hex.slice(128, 192)];
};

/** Code that makes transfers of a token one after the other and leaves no contract behind. */
function transfersOf(token: string, transfers: readonly (readonly [string, bigint])[]): Hex {
  const calls = transfers.map(([to, amount]) => {
    const stored = wordsOf(usdcCall('transfer', to, amount)).map(
      (word, index) => `7f${word}60${(index * 32).toString(16).padStart(2, '0')}52`,
    );
    // CALL with 68 bytes of memory, whose answer is not looked at.
    return `${stored.join('')}6000600060446000600073${token.slice(2)}5af150`;
  });
  return `0x${calls.join('')}00`;
}

/** Makes all transfers in one transaction that is mined, from an address that holds their sum; answers its hash. */
export async function sendAtOnce(
  { anvil, usdc }: Pick<ReaderHarness, 'anvil' | 'usdc'>,
  transfers: readonly (readonly [string, bigint])[],
): Promise<string> {
  const [, , deployer = ''] = anvil.accounts;
  const nonce = await anvil.rpc<string>('eth_getTransactionCount', deployer, 'latest');
  const from = getContractAddress({ from: deployer as Hex, nonce: BigInt(nonce) });
  const sum = transfers.reduce((total, [, amount]) => total + amount, 0n);
  await mintUsdc(anvil, usdc, from, sum);
  const data = transfersOf(usdc, transfers);
  const { transactionHash } = await anvil.sendAndMine({
    from: deployer,
    data,
    gas: '0xf4240',
  });
  return transactionHash;
}
