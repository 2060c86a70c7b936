import type { ListedNetwork } from '../../src/domain/onchain/network-setup.ts';
import { usualDepths } from '../../src/domain/onchain/usual-depths.ts';

const own = ['0x3000000000000000000000000000000000000001'];
const factory = '0x4000000000000000000000000000000000000001';

const listed = (asset: string, contract: string) => ({
  ...{ asset, contract, min: 1_000_000n, max: 50_000_000_000n },
});

/** Networks as partners are told of them: Base with two assets, Ethereum with one, Polygon paused. */
export const LISTED_NETWORKS: readonly ListedNetwork[] = [
  {
    ...{ network: 'BASE', chainId: 31_338, status: 'ACTIVE', own, factory },
    assets: [
      listed('USDC', '0x2000000000000000000000000000000000000001'),
      listed('EURC', '0x2000000000000000000000000000000000000002'),
    ],
    depths: usualDepths('test', 'BASE'),
  },
  {
    ...{ network: 'ETHEREUM', chainId: 31_337, status: 'ACTIVE', own, factory },
    assets: [listed('USDC', '0x2000000000000000000000000000000000000003')],
    depths: usualDepths('test', 'ETHEREUM'),
  },
  {
    ...{ network: 'POLYGON', chainId: 31_339, status: 'PAUSED', own, factory },
    assets: [listed('USDC', '0x2000000000000000000000000000000000000004')],
    depths: usualDepths('test', 'POLYGON'),
  },
];
