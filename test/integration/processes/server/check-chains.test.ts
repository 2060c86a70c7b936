import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { NOT_FINAL_MAX } from '../../../../src/domain/onchain/nonce-slots.ts';
import type { NetworkSetup } from '../../../../src/domain/onchain/network-setup.ts';
import type { Environment } from '../../../../src/domain/scope.ts';
import { checkChains, type CheckedChains } from '../../../../src/server/runtime/check-chains.ts';
import { PlainError } from '../../../../src/server/runtime/plain-error.ts';
import type { Resources } from '../../../../src/server/runtime/resources.ts';
import { startAnvil, type TestAnvil } from '../../../support/onchain/anvil.ts';
import { openLyingPair, TEST_DEPTHS, type LyingPair } from '../../../support/onchain/lying-pair.ts';
import { FACTORY, OTHER_HOT_ADDRESS, PAYEE } from '../../../support/onchain/signer-parts.ts';
import { deployUsdc } from '../../../support/onchain/usdc.ts';
import { until } from '../../../support/until.ts';

const CHAIN_ID = 8_453;
const KEY = 'made-up-key-of-a-provider';
const RETRY_MS = 20;

let anvil: TestAnvil;
let pair: LyingPair;
let usdc: string;
let genesis: string;
let checked: CheckedChains | undefined;
let logged: string[];

beforeAll(async () => {
  anvil = await startAnvil({ chainId: CHAIN_ID });
  pair = await openLyingPair(anvil.url);
  usdc = await deployUsdc(anvil);
  ({ hash: genesis } = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', '0x0', false));
});
afterEach(async () => {
  pair.repent();
  await checked?.close();
  checked = undefined;
});
afterAll(async () => {
  await pair.close();
  await anvil.close();
});

function setupOf(environment: Environment, changes: Partial<NetworkSetup> = {}): NetworkSetup {
  // Two names of one machine are two hosts.
  const elsewhere = new URL(pair.other.url);
  elsewhere.hostname = 'localhost';
  const tags = {
    credit: { kind: 'TAG', tag: 'safe' },
    creditAbove: { kind: 'TAG', tag: 'finalized' },
    final: { kind: 'TAG', tag: 'finalized' },
  } as const;
  return {
    ...{ network: 'BASE', chainId: CHAIN_ID, status: 'ACTIVE', genesis },
    rpcUrls: [pair.one.url, `${elsewhere.href}${KEY}`],
    assets: [{ asset: 'USDC', contract: usdc, min: 1n, max: 10n ** 9n }],
    depths: environment === 'live' ? tags : TEST_DEPTHS,
    ...{ hotAddresses: [OTHER_HOT_ADDRESS], factory: FACTORY, treasury: PAYEE },
    own: [OTHER_HOT_ADDRESS, FACTORY, PAYEE],
    gasCaps: { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
    notFinalMax: NOT_FINAL_MAX,
    depositFloors: {},
    sweeps: null,
    hot: [],
    ...changes,
  };
}

/** As the programs call it; of the resources it takes these two. */
async function check(chain: Partial<Record<Environment, NetworkSetup[]>>): Promise<CheckedChains> {
  logged = [];
  const write = (facts: object, text: string): void => {
    logged.push(JSON.stringify({ ...facts, text }));
  };
  const resources = {
    config: { chain: { test: [], live: [], ...chain } },
    log: { error: write, warn: write },
  } as unknown as Resources;
  checked = await checkChains(resources, RETRY_MS);
  return checked;
}

const TEST = { environment: 'test', network: 'BASE' } as const;
const LIVE = { environment: 'live', network: 'BASE' } as const;

describe('a network of live does not start', () => {
  const OTHER = `0x${'ab'.repeat(32)}`;
  const wrong: readonly [what: string, changes: () => Partial<NetworkSetup>, line: string][] = [
    [
      'with one provider',
      () => ({ rpcUrls: [pair.one.url] }),
      'BASE: rpcUrls live needs the nodes of two providers',
    ],
    [
      'with two nodes on one host',
      () => ({ rpcUrls: [pair.one.url, pair.other.url] }),
      'BASE: rpcUrls two of the nodes have the same host',
    ],
    ['on another chain', () => ({ chainId: 1 }), 'BASE: rpcUrls[0] is of another chain than 1'],
    [
      'with another first block',
      () => ({ genesis: OTHER }),
      'BASE: rpcUrls[0] has another first block than `genesis` says',
    ],
    [
      'with a token where there is none',
      () => ({ assets: [{ asset: 'USDC', contract: PAYEE, min: 1n, max: 2n }] }),
      'BASE: assets[0].contract has no code on this chain',
    ],
    [
      'with a token of another name',
      () => ({ assets: [{ asset: 'EURC', contract: usdc, min: 1n, max: 2n }] }),
      'BASE: assets[0].contract does not call itself EURC',
    ],
  ];
  it.each(wrong)('%s', async (_what, changes, line) => {
    const refused = await check({ live: [setupOf('live', changes())] }).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(PlainError);
    const { message } = refused as PlainError;
    expect(message.split('\n')[0]).toBe('The nodes of live contradict its networks:');
    expect(message.split('\n')).toContain(line);
    expect(message + logged.join('')).not.toContain(KEY);
  });
});

describe('a network', () => {
  it('is open where nodes and settings agree, and no other is', async () => {
    const chains = await check({ test: [setupOf('test')], live: [setupOf('live')] });
    expect([chains.isOpen(TEST), chains.isOpen(LIVE)]).toEqual([true, true]);
    expect(chains.isOpen({ environment: 'test', network: 'POLYGON' })).toBe(false);
    expect(logged).toEqual([]);
  });

  it('of test that is set up wrongly stays closed, says why, and keeps no other from starting', async () => {
    const wrong = setupOf('test', { network: 'POLYGON', chainId: 137 });
    const chains = await check({ test: [wrong, setupOf('test')] });
    expect(chains.isOpen(TEST)).toBe(true);
    expect(chains.isOpen({ environment: 'test', network: 'POLYGON' })).toBe(false);
    expect(logged.join('\n')).toContain('is of another chain than 137');
    expect(logged.join('\n')).not.toContain(KEY);
  });

  it.each(['test', 'live'] as const)(
    'of %s whose node does not answer is closed until it does',
    async (environment) => {
      pair.one.takeOver((answer) => answer.destroy());
      const chains = await check({ [environment]: [setupOf(environment)] });
      const place = { environment, network: 'BASE' } as const;
      expect(chains.isOpen(place)).toBe(false);
      expect(logged[0]).toContain('network closed until its nodes answer');
      pair.one.repent();
      await until('an open network', () => (chains.isOpen(place) ? true : null));
    },
  );

  it('that turns out to be set up wrongly once its nodes answer stays closed', async () => {
    pair.one.takeOver((answer) => answer.destroy());
    const chains = await check({ live: [setupOf('live', { chainId: 1 })] }).catch(() => null);
    // The other node has answered, and that is enough to refuse.
    expect(chains).toBeNull();
    for (const node of [pair.one, pair.other]) node.takeOver((answer) => answer.destroy());
    const later = await check({ live: [setupOf('live', { chainId: 1 })] });
    expect(later.isOpen(LIVE)).toBe(false);
    pair.repent();
    await until('a line that says so', () =>
      logged.some((line) => line.includes('its nodes contradict each other')) ? true : null,
    );
    expect(later.isOpen(LIVE)).toBe(false);
  });
});
