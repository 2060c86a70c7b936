import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readChainFile } from '../../../src/server/config/chain-file.ts';
import { httpSettings, readConfig } from '../../../src/server/config/config.ts';
import type { Environment } from '../../../src/domain/scope.ts';
import {
  SAMPLE_LIVE_NETWORK,
  SAMPLE_NETWORK,
  sampleNetworks,
} from '../../support/sample-networks.ts';
import { SAMPLE_KEYS } from '../../support/sample-secrets.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chain-files-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const MINIMAL = { DATABASE_URL: 'postgres://localhost/causeway', ...SAMPLE_KEYS };
const ETHEREUM = {
  ...{ ...SAMPLE_NETWORK, network: 'ETHEREUM', chainId: 31_337 },
  rpcUrls: ['http://127.0.0.1:9/ethereum'],
};

const lines = (environment: Environment, ...networks: object[]) => {
  const read = readChainFile({ networks }, environment);
  return read.ok ? [] : read.lines;
};

function write(name: string, ...networks: object[]): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ networks }));
  return path;
}

/** In whose name live sends. */
const SENDER = {
  TRAVEL_RULE_VASP_NAME: 'Sample Payouts Ltd',
  TRAVEL_RULE_VASP_COUNTRY: 'DE',
};
const configOf = (env: Record<string, string>) => readConfig({ ...MINIMAL, ...SENDER, ...env });

const NETWORK_FEE = { type: 'NETWORK', currency: 'USDC', network: 'BASE', fixed: '0.50' };

/** The settings of live with the sample network and these fees. */
function liveWith(fees: readonly object[]): Record<string, string> {
  const path = join(folder, 'fees.json');
  writeFileSync(path, JSON.stringify({ fees }));
  return { LIVE_NETWORKS_FILE: write('live.json', SAMPLE_LIVE_NETWORK), FEES_FILE: path };
}

function refusalOf(test: object[], live: object[]): string {
  try {
    configOf({
      TEST_NETWORKS_FILE: write('test.json', ...test),
      LIVE_NETWORKS_FILE: write('live.json', ...live),
    });
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return '';
}

describe('the file of networks', () => {
  it('gives amounts in minor units, wei as bigint, and the depths of the table', () => {
    const read = readChainFile({ networks: [SAMPLE_NETWORK] }, 'test');
    expect(read).toMatchObject({
      ok: true,
      networks: [
        {
          ...{ network: 'BASE', chainId: 31_338, status: 'ACTIVE', genesis: null },
          assets: [{ asset: 'USDC', min: 1_000_000n, max: 50_000_000_000n }],
          gasCaps: { maxFeePerGas: 50_000_000_000n, maxPriorityFeePerGas: 2_000_000_000n },
          depths: {
            credit: { kind: 'BLOCKS', blocks: 3 },
            creditAbove: { kind: 'BLOCKS', blocks: 3 },
            final: { kind: 'BLOCKS', blocks: 6 },
          },
          own: [...SAMPLE_NETWORK.hotAddresses, SAMPLE_NETWORK.factory, SAMPLE_NETWORK.treasury],
        },
      ],
    });
  });

  it('sweeps assets of the row from a floor on, and nothing where it does not say so', () => {
    const sweeps = { floors: { USDC: '20.00' }, maxFeePerGas: '15000000000' };
    const read = readChainFile({ networks: [SAMPLE_NETWORK, { ...ETHEREUM, sweeps }] }, 'test');
    expect(read.ok && read.networks.map((one) => one.sweeps)).toEqual([
      null,
      { floors: { USDC: 20_000_000n }, maxFeePerGas: 15_000_000_000n },
    ]);
    const floors = { EURC: '1.00', USDC: '0' };
    expect(lines('test', { ...SAMPLE_NETWORK, sweeps: { ...sweeps, floors } })).toEqual([
      'row 1 of networks: sweeps.floors.EURC must be an asset of the row',
      'row 1 of networks: sweeps.floors.USDC must be an amount above zero of six decimals at most',
    ]);
  });

  it('counts transfers below a floor only: a tenth of a unit, or what it says, and never more than payments may be', () => {
    const [asset] = SAMPLE_NETWORK.assets;
    const small = { ...SAMPLE_NETWORK, assets: [{ ...asset, min: '0.01' }] };
    const floors = (row: object) => {
      const read = readChainFile({ networks: [row] }, 'test');
      return read.ok && read.networks.map((one) => one.depositFloors);
    };
    expect(floors(SAMPLE_NETWORK)).toEqual([{ USDC: 100_000n }]);
    expect(floors(small)).toEqual([{ USDC: 10_000n }]);
    expect(floors({ ...SAMPLE_NETWORK, depositFloors: { USDC: '0.50' } })).toEqual([
      { USDC: 500_000n },
    ]);
    expect(lines('test', { ...small, depositFloors: { USDC: '0.02', EURC: '1.00' } })).toEqual([
      "row 1 of networks: depositFloors.USDC must be no more than the asset's min",
      'row 1 of networks: depositFloors.EURC must be an asset of the row',
    ]);
  });

  it('bounds what assets of the row hot addresses hold', () => {
    const [{ contract }] = SAMPLE_NETWORK.assets;
    const hot = { USDC: { floor: '10000.00', cap: '250000.00' } };
    const read = readChainFile({ networks: [{ ...SAMPLE_NETWORK, hot }] }, 'test');
    expect(read.ok && read.networks[0]).toMatchObject({
      hot: [{ asset: 'USDC', contract, floor: 10_000_000_000n, cap: 250_000_000_000n }],
    });
    const [none] = sampleNetworks('test');
    expect(none).toMatchObject({ hot: [] });
    const wrong = { hot: { EURC: hot.USDC, USDC: { floor: '2.00', cap: '2.00' } } };
    expect(lines('test', { ...SAMPLE_NETWORK, ...wrong })).toEqual([
      'row 1 of networks: hot.EURC must be an asset of the row',
      'row 1 of networks: hot.USDC.cap must be more than floor',
    ]);
  });

  it('takes top-ups, which the release before reads, and gives them no effect', () => {
    const topUps = { from: SAMPLE_NETWORK.hotAddresses[0], floor: '1', target: '2' };
    expect(readChainFile({ networks: [{ ...SAMPLE_NETWORK, topUps }] }, 'test')).toEqual({
      ok: true,
      networks: sampleNetworks('test'),
    });
  });

  it('lets a hot address have 1,024 nonces that are not final, or as many as the row says', () => {
    expect(sampleNetworks('test')[0]?.notFinalMax).toBe(1_024);
    const read = readChainFile({ networks: [{ ...SAMPLE_NETWORK, notFinalMax: 1_536 }] }, 'test');
    expect(read.ok && read.networks[0]?.notFinalMax).toBe(1_536);
    for (const notFinalMax of [63, 4_097, 100.5]) {
      expect(lines('test', { ...SAMPLE_NETWORK, notFinalMax })).toEqual([
        expect.stringContaining('notFinalMax'),
      ]);
    }
  });

  it('says other depths than the table', () => {
    const depths = {
      ...{ credit: { blocks: 20 }, creditAbove: { tag: 'safe' }, final: { tag: 'finalized' } },
    };
    const read = readChainFile({ networks: [{ ...SAMPLE_LIVE_NETWORK, depths }] }, 'live');
    expect(read.ok && read.networks[0]?.depths).toEqual({
      credit: { kind: 'BLOCKS', blocks: 20 },
      creditAbove: { kind: 'TAG', tag: 'safe' },
      final: { kind: 'TAG', tag: 'finalized' },
    });
  });

  const [asset] = SAMPLE_NETWORK.assets;
  const wrongCase = '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  it.each([
    [{ network: 'SOLANA' }, 'row 1 of networks: network'],
    [{ chainId: 0 }, 'row 1 of networks: chainId'],
    [{ genesis: '0x12' }, 'row 1 of networks: genesis'],
    [{ rpcUrls: [] }, 'row 1 of networks: rpcUrls'],
    [{ rpcUrls: ['ws://node.example'] }, 'rpcUrls.0 must be a URL that begins with http'],
    [{ rpcUrls: ['http://a.example', 'http://a.example/'] }, 'rpcUrls.1 must be another'],
    [{ assets: [] }, 'row 1 of networks: assets'],
    [{ assets: [{ ...asset, asset: 'DAI' }] }, 'row 1 of networks: assets.0.asset'],
    [{ assets: [{ ...asset, contract: wrongCase }] }, 'assets.0.contract must be an address'],
    [{ assets: [{ ...asset, min: '0.00' }] }, 'assets.0.min must be an amount above zero'],
    [{ assets: [{ ...asset, min: '1.0000001' }] }, 'assets.0.min must be an amount above zero'],
    [{ assets: [{ ...asset, max: '0.5' }] }, 'assets.0.max must be no less than min'],
    [{ assets: [asset, asset] }, 'assets.1.asset must be in the row once'],
    [{ assets: [asset, { ...asset, asset: 'EURC' }] }, 'assets.1.contract must be an address that'],
    [{ hotAddresses: [] }, 'row 1 of networks: hotAddresses'],
    [
      { hotAddresses: [asset.contract] },
      'hotAddresses.0 must be an address that the row names once',
    ],
    [{ hotAddresses: [`0x${'0'.repeat(40)}`] }, 'hotAddresses.0 must be an address with'],
    [{ gasCaps: { maxFeePerGas: '1', maxPriorityFeePerGas: '2' } }, 'no more than maxFeePerGas'],
    [{ gasCaps: { maxFeePerGas: '0x1', maxPriorityFeePerGas: '1' } }, 'gasCaps.maxFeePerGas'],
    [{ depths: { credit: { blocks: 0 } } }, 'row 1 of networks: depths'],
    [{ treasury: 'none' }, 'row 1 of networks: treasury'],
    [{ key: 'secret' }, 'row 1 of networks: key is no known field'],
  ])('%j is refused by row and field', (wrong, told) => {
    expect(lines('test', { ...SAMPLE_NETWORK, ...wrong }).join('\n')).toContain(told);
  });

  it('has each network and chain id once, and one factory and treasury for all', () => {
    expect(lines('test', SAMPLE_NETWORK, ETHEREUM)).toEqual([]);
    expect(lines('test', SAMPLE_NETWORK, SAMPLE_NETWORK)).toEqual([
      'row 2 of networks: network must be in one row only',
      'row 2 of networks: chainId must be in one row only',
    ]);
    const treasury = '0x4000000000000000000000000000000000000003';
    expect(lines('test', SAMPLE_NETWORK, { ...ETHEREUM, treasury })).toEqual([
      'row 2 of networks: treasury must be the same on every network',
    ]);
  });

  it('of live takes two providers, a first block and the chain’s own id', () => {
    const { genesis: _genesis, ...rest } = SAMPLE_LIVE_NETWORK;
    const [first] = rest.rpcUrls;
    expect(lines('live', { ...rest, chainId: 84_532, rpcUrls: [first] })).toEqual([
      'row 1 of networks: rpcUrls must be two: live believes no provider alone',
      'row 1 of networks: genesis must be given in live',
      'row 1 of networks: chainId must be 8453, which BASE has',
    ]);
  });

  it('of live asks no node in the clear, but one on this machine', () => {
    const [first] = SAMPLE_LIVE_NETWORK.rpcUrls;
    const at = (second: string) =>
      lines('live', { ...SAMPLE_LIVE_NETWORK, rpcUrls: [first, second] });
    for (const host of ['two.example', '10.0.0.5:8545', '127.0.0.1.example', 'localhost:8545']) {
      expect(at(`http://${host}`), host).toEqual([
        'row 1 of networks: rpcUrls.1 must be https in live, off this machine',
      ]);
    }
    for (const url of ['https://two.example', 'http://127.0.0.1:8545', 'http://[::1]:8545']) {
      expect(at(url), url).toEqual([]);
    }
  });
});

describe('what live sweeps and gives out', () => {
  it('is of the factory that its treasury has: one of another would give the deposits away', () => {
    const wrong = {
      ...SAMPLE_LIVE_NETWORK,
      treasury: '0x4000000000000000000000000000000000000003',
    };
    expect(lines('live', wrong)).toEqual([
      expect.stringMatching(
        /^row 1 of networks: factory must be 0x\w{40}, which the treasury has$/,
      ),
    ]);
    expect(lines('live', SAMPLE_LIVE_NETWORK)).toEqual([]);
  });

  it('is worth ten times what its sweep may cost, by the price of the coin', () => {
    // 210,000 units of gas at 15 gwei are 0.00315 coins, which are 9.45 USDC at 3,000.
    const sweeps = (floor: string, coinPrices: object = { USDC: '3000.00' }) => ({
      ...SAMPLE_LIVE_NETWORK,
      sweeps: { floors: { USDC: floor }, maxFeePerGas: '15000000000', coinPrices },
    });
    expect(lines('live', sweeps('94.50'))).toEqual([]);
    expect(lines('live', sweeps('94.499999'))).toEqual([
      'row 1 of networks: sweeps.floors.USDC must be at least 94.500000: ten times what a sweep of one address may cost',
    ]);
    for (const prices of [{}, { USDC: '0' }, { EURC: '3000.00' }]) {
      expect(lines('live', sweeps('94.50', prices))).toEqual([
        'row 1 of networks: sweeps.coinPrices.USDC must be given in live: what one coin of the network costs in it',
      ]);
    }
  });
});

describe('networks in the settings', () => {
  it.each([
    [[], false],
    [[NETWORK_FEE], true],
    [[{ ...NETWORK_FEE, fixed: '0' }], true],
    [[{ ...NETWORK_FEE, environment: 'test' }], false],
    [[{ ...NETWORK_FEE, network: 'ETHEREUM' }], false],
    [[{ ...NETWORK_FEE, currency: 'EURC' }], false],
    [[{ ...NETWORK_FEE, type: 'SERVICE' }], false],
  ])('of live have a fee for their gas, be it zero: %j', (fees, isEnough) => {
    const told = 'FEES_FILE must have a row of type NETWORK for USDC on BASE';
    if (isEnough) expect(configOf(liveWith(fees)).chain.live).toHaveLength(1);
    else expect(() => configOf(liveWith(fees))).toThrow(told);
  });

  it('unset are none', () => {
    expect(configOf({}).chain).toEqual({ test: [], live: [] });
  });

  it.each([
    [{ rpcUrls: [SAMPLE_NETWORK.rpcUrls[0], 'https://two.example'] }, 'rpcUrls.0'],
    [{ assets: SAMPLE_NETWORK.assets }, 'assets.0.contract'],
    [
      { hotAddresses: [SAMPLE_LIVE_NETWORK.hotAddresses[0], SAMPLE_NETWORK.hotAddresses[0]] },
      'hotAddresses.1',
    ],
  ])('of live share nothing with test: %j', (shared, field) => {
    const refusal = refusalOf([SAMPLE_NETWORK], [{ ...SAMPLE_LIVE_NETWORK, ...shared }]);
    expect(refusal).toContain(`row 1 of networks: ${field} must not be test's`);
    expect(refusal).not.toContain('127.0.0.1');
  });

  it('reach the pages of partners without the URLs', () => {
    const { networks } = httpSettings(configOf(liveWith([NETWORK_FEE])));
    expect(networks.live).toHaveLength(1);
    const shown = JSON.stringify(networks, (_key, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    );
    expect(shown).not.toContain('example');
  });
});
