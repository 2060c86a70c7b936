import { randomBytes } from 'node:crypto';
import { readChainFile } from '../../src/server/config/chain-file.ts';
import type { NetworkSetup } from '../../src/domain/onchain/network-setup.ts';
import { factoryDeployment } from '../../src/domain/onchain/factory-deployment.ts';
import type { Environment } from '../../src/domain/scope.ts';
import { readForwarderContracts } from '../../src/server/config/forwarder-contracts.ts';

/** A row of TEST_NETWORKS_FILE; its addresses were made up. */
export const SAMPLE_NETWORK = {
  network: 'BASE',
  chainId: 31_338,
  rpcUrls: ['http://127.0.0.1:9/base-1', 'http://127.0.0.1:9/base-2'],
  assets: [
    {
      ...{ asset: 'USDC', contract: '0x2000000000000000000000000000000000000001' },
      ...{ min: '1.00', max: '50000.00' },
    },
  ],
  hotAddresses: ['0x3000000000000000000000000000000000000001'],
  gasCaps: { maxFeePerGas: '50000000000', maxPriorityFeePerGas: '2000000000' },
  factory: '0x4000000000000000000000000000000000000001',
  treasury: '0x4000000000000000000000000000000000000002',
} as const;

/** The same for live: nothing of test is in it but the treasury. */
export const SAMPLE_LIVE_NETWORK = {
  ...SAMPLE_NETWORK,
  factory: factoryDeployment(readForwarderContracts(), SAMPLE_NETWORK.treasury).factory,
  chainId: 8453,
  genesis: `0x${'ab'.repeat(32)}`,
  rpcUrls: ['https://one.example/v1/sample', 'https://two.example/v1/sample'],
  assets: [
    {
      ...{ asset: 'USDC', contract: '0x2000000000000000000000000000000000000009' },
      ...{ min: '1.00', max: '50000.00' },
    },
  ],
  hotAddresses: ['0x3000000000000000000000000000000000000009'],
} as const;

/** The sample networks as the settings give them. */
export function sampleNetworks(environment: Environment): readonly NetworkSetup[] {
  const row = environment === 'test' ? SAMPLE_NETWORK : SAMPLE_LIVE_NETWORK;
  const read = readChainFile({ networks: [row] }, environment);
  if (!read.ok) throw new Error(read.lines.join('\n'));
  return read.networks;
}

/** A new address, in lower case. */
export const someAddress = (): string => `0x${randomBytes(20).toString('hex')}`;
