import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { TestAnvil } from '../anvil.ts';

const require = createRequire(import.meta.url);

/** Its address on every network that has it (github.com/mds1/multicall). */
const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11';

/** Puts Multicall3 where real networks have it. The library ships its code and does not export it. */
export async function deployMulticall3({ accounts, sendAndMine, rpc }: TestAnvil): Promise<void> {
  const library = dirname(require.resolve('viem/package.json'));
  const { multicall3Bytecode: data } = require(join(library, '_cjs/constants/contracts.js')) as {
    readonly multicall3Bytecode: string;
  };
  const { contractAddress } = await sendAndMine({ from: accounts[0] ?? '', data });
  const code = await rpc<string>('eth_getCode', contractAddress, 'latest');
  await rpc('anvil_setCode', MULTICALL3, code);
}
