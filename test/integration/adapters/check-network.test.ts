import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkNetwork, type CheckedNetwork } from '../../../src/adapters/evm/check-network.ts';
import { compareCode } from '../../../src/adapters/evm/compare-code.ts';
import type { Depths } from '../../../src/domain/onchain/network.ts';
import { startAnvil, type TestAnvil } from '../../support/onchain/anvil.ts';
import { refusal, result } from '../../support/onchain/lying-node.ts';
import { openLyingPair, TEST_DEPTHS, type LyingPair } from '../../support/onchain/lying-pair.ts';
import { deployUsdc } from '../../support/onchain/usdc.ts';

const TAGS: Depths = {
  credit: { kind: 'TAG', tag: 'safe' },
  creditAbove: { kind: 'TAG', tag: 'finalized' },
  final: { kind: 'TAG', tag: 'finalized' },
};
const KEY = 'made-up-key-of-a-provider';

let anvil: TestAnvil;
let pair: LyingPair;
let usdc: string;
let test_: CheckedNetwork;
let live: CheckedNetwork;
let pauses: number;

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 8_453 });
  pair = await openLyingPair(anvil.url);
  usdc = await deployUsdc(anvil);
  const { hash } = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', '0x0', false);
  test_ = {
    environment: 'test',
    network: 'BASE',
    chainId: 8_453,
    genesis: hash,
    rpcUrls: [pair.one.url, pair.other.url],
    assets: [{ asset: 'USDC', contract: usdc, min: 1n, max: 10n ** 12n }],
    depths: TEST_DEPTHS,
  };
  // Two names of one machine are two hosts.
  const elsewhere = new URL(pair.other.url);
  elsewhere.hostname = 'localhost';
  const rpcUrls = [pair.one.url, `${elsewhere.href}${KEY}`];
  live = { ...test_, environment: 'live', rpcUrls, depths: TAGS };
});

afterEach(() => pair.repent());

afterAll(async () => {
  await pair.close();
  await anvil.close();
});

async function check(checked: CheckedNetwork): Promise<string[]> {
  pauses = 0;
  const problems = await checkNetwork(checked, {
    pause: async () => {
      pauses += 1;
    },
    limits: { timeoutMs: 10_000 },
  });
  expect(JSON.stringify(problems)).not.toContain(KEY);
  return problems.map(({ kind, environment, network, field, problem }) => {
    expect({ environment, network }).toEqual({ environment: checked.environment, network: 'BASE' });
    return `${kind} ${field} ${problem}`;
  });
}

test('settings that fit the nodes are without a problem', async () => {
  expect(await check(test_)).toEqual([]);
  expect(await check(live)).toEqual([]);
  expect(pauses).toBe(0);
});

test('test may have one node, live may not, nor two on one host', async () => {
  const [first] = test_.rpcUrls;
  expect(await check({ ...test_, rpcUrls: [first!] })).toEqual([]);
  expect(await check({ ...live, rpcUrls: [first!] })).toEqual([
    'WRONG rpcUrls live needs the nodes of two providers',
  ]);
  expect(await check({ ...live, rpcUrls: test_.rpcUrls })).toEqual([
    'WRONG rpcUrls two of the nodes have the same host',
  ]);
});

test('a node of another chain is named, each by itself', async () => {
  pair.other.lieAbout(
    'eth_chainId',
    result(() => '0x1'),
  );
  expect(await check(test_)).toEqual(['WRONG rpcUrls[1] is of another chain than 8453']);
  expect(await check({ ...test_, chainId: 10 })).toEqual([
    'WRONG rpcUrls[0] is of another chain than 10',
    'WRONG rpcUrls[1] is of another chain than 10',
  ]);
});

test('a chain with the right number and another first block is another chain', async () => {
  pair.one.lieAbout(
    'eth_getBlockByNumber',
    result((block: object) => ({ ...block, hash: `0x${'ab'.repeat(32)}` })),
  );
  expect(await check(test_)).toEqual([
    'WRONG rpcUrls[0] has another first block than `genesis` says',
  ]);
  expect(await check({ ...test_, genesis: null })).toEqual([]);
});

test('a contract must be there, count in six decimals and be called what it is listed as', async () => {
  const listed = (asset: string, contract: string): CheckedNetwork => ({
    ...test_,
    assets: [...test_.assets, { asset, contract, min: 1n, max: 2n }],
  });
  expect(await check(listed('USDC', anvil.accounts[0]!))).toEqual([
    'WRONG assets[1].contract has no code on this chain',
  ]);
  expect(await check(listed('EURC', usdc))).toEqual([
    'WRONG assets[1].contract does not call itself EURC',
  ]);
  expect(await check(listed('USDT', await deployUsdc(anvil, 'USD₮0')))).toEqual([]);
});

test('a contract that answers otherwise than a token is refused', async () => {
  for (const node of [pair.one, pair.other]) {
    node.lieAbout(
      'eth_call',
      result(() => `0x${'00'.repeat(31)}12`),
    );
  }
  const wrong = [
    'WRONG assets[0].contract does not count in 6 decimals',
    'WRONG assets[0].contract does not call itself USDC',
  ];
  expect(await check(test_)).toEqual(wrong);
  for (const node of [pair.one, pair.other]) node.lieAbout('eth_call', refusal(3, '0x'));
  expect(await check(test_)).toEqual(wrong);
});

test('live refuses a node whose tags never lie behind its newest block', async () => {
  const newest = await anvil.rpc<object>('eth_getBlockByNumber', 'latest', false);
  pair.other.lieAbout('eth_getBlockByNumber', (true_, { params }) =>
    params[0] === 'safe' || params[0] === 'finalized' ? { ...true_, result: newest } : true_,
  );
  expect(await check(live)).toEqual([
    'WRONG rpcUrls[1] calls blocks safe or finalized that are its newest: they must lie behind it',
  ]);
  expect(pauses).toBe(2);
  expect(await check(test_)).toEqual([]);
});

test('a node that cannot be read is no wrong setting', async () => {
  pair.one.takeOver((answer) => answer.destroy());
  expect(await check(test_)).toEqual(['UNREADABLE rpcUrls[0] could not be read: NODE_1_RESET']);
});

test('deployed code is held against what it has to be, at both nodes', async () => {
  const code = await anvil.rpc<string>('eth_getCode', usdc, 'latest');
  const expected = Buffer.from(code.slice(2), 'hex');
  const { rpcUrls } = test_;
  const compare = (address: string) => compareCode({ rpcUrls, address, expected });
  expect(await compare(usdc)).toBe('SAME');
  expect(await compare(anvil.accounts[0]!)).toBe('ABSENT');
  expected[100]! ^= 1;
  expect(await compare(usdc)).toBe('DIFFERENT');
  pair.one.lieAbout(
    'eth_getCode',
    result(() => `0x${expected.toString('hex')}`),
  );
  await expect(compare(usdc)).rejects.toMatchObject({ why: 'NODES_DIFFER' });
});
