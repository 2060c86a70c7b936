import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createChainNodes } from '../../../src/adapters/evm/chain-nodes.ts';
import type { TransferQuery } from '../../../src/domain/onchain/transfer-logs.ts';
import { startAnvil, type TestAnvil } from '../../support/onchain/anvil.ts';
import { refusal, result, type Lie } from '../../support/onchain/lying-node.ts';
import {
  openLyingPair,
  TEST_DEPTHS,
  unreadable,
  type LyingPair,
} from '../../support/onchain/lying-pair.ts';
import { deployUsdc, mintUsdc, usdcCall } from '../../support/onchain/usdc.ts';

interface NodeLog {
  readonly transactionHash: string;
  readonly topics: readonly string[];
}

let anvil: TestAnvil;
let pair: LyingPair;
let usdc: string;
/** A contract that is not asked about. */
let fake: string;
let alice: string;
let bob: string;
let carol: string;
let all: TransferQuery;

beforeAll(async () => {
  anvil = await startAnvil();
  pair = await openLyingPair(anvil.url);
  [usdc, fake] = [await deployUsdc(anvil), await deployUsdc(anvil)];
  [alice, bob, carol] = [anvil.accounts[1]!, anvil.accounts[2]!, anvil.accounts[3]!];
  const { latest } = await pair.nodes.heads();
  for (const contract of [usdc, fake]) await mintUsdc(anvil, contract, alice, 1_000n);
  for (const [contract, to, amount] of [
    [usdc, bob, 1n],
    [fake, bob, 2n],
    [usdc, carol, 3n],
    [usdc, bob, 4n],
  ] as const) {
    await anvil.send({ from: alice, to: contract, data: usdcCall('transfer', to, amount) });
    if (amount > 1n) await anvil.mine(300);
  }
  const to = (await pair.nodes.heads()).latest.number;
  all = { contracts: [usdc], direction: 'TO', addresses: [bob], from: latest.number, to };
});

afterEach(() => pair.repent());

afterAll(async () => {
  await pair.close();
  await anvil.close();
});

const amounts = (listed: readonly { readonly amount: bigint }[]) =>
  listed.map(({ amount }) => amount);
const isWide = (filter: unknown, blocks: number): boolean => {
  const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string };
  return Number(toBlock) - Number(fromBlock) >= blocks;
};

test('what arrives at an address is listed in the order of the chain, of the listed tokens alone', async () => {
  const { byAll, bySome } = await pair.nodes.listTransfers(all);
  expect(amounts(byAll)).toEqual([1n, 4n]);
  expect(bySome).toEqual([]);
  for (const { block, transactionHash, contract, from, to, amount } of byAll) {
    const finding = await pair.nodes.findTransaction(transactionHash);
    if (finding.kind !== 'MINED') throw new Error(finding.kind);
    expect(finding.transaction.block).toMatchObject(block);
    expect(finding.transaction.transfers).toEqual([{ contract, from, to, amount, ordinal: 0 }]);
  }
});

test('what leaves an address is listed too, and a range is from its first block to its last', async () => {
  const query: TransferQuery = { ...all, direction: 'FROM', addresses: [alice, carol] };
  const { byAll } = await pair.nodes.listTransfers(query);
  expect(amounts(byAll)).toEqual([1n, 3n, 4n]);
  const { number } = byAll[1]!.block;
  const one = await pair.nodes.listTransfers({ ...query, from: number, to: number });
  expect(amounts(one.byAll)).toEqual([3n]);
  const before = await pair.nodes.listTransfers({ ...query, to: number - 1n });
  expect(amounts(before.byAll)).toEqual([1n]);
});

test('what one node leaves out is told apart from what both list', async () => {
  pair.one.lieAbout(
    'eth_getLogs',
    result((logs: readonly NodeLog[]) => logs.slice(1)),
  );
  const { byAll, bySome } = await pair.nodes.listTransfers(all);
  expect([amounts(byAll), amounts(bySome)]).toEqual([[4n], [1n]]);
});

test('what one node makes up is not listed by both, and no receipt proves it', async () => {
  const forged = `0x${'ab'.repeat(32)}`;
  const forge = result((logs: readonly NodeLog[]) => [
    { ...logs[0], transactionHash: forged, logIndex: '0x63' },
    ...logs,
  ]);
  pair.other.lieAbout('eth_getLogs', forge);
  const { byAll, bySome } = await pair.nodes.listTransfers(all);
  expect(amounts(byAll)).toEqual([1n, 4n]);
  expect(bySome.map(({ transactionHash }) => transactionHash)).toEqual([forged]);
  expect(await pair.nodes.findTransaction(forged)).toEqual({ kind: 'UNKNOWN' });
});

test('an amount that one node alters is listed by neither both nor the honest one alone', async () => {
  const alter = result((logs: readonly NodeLog[]) =>
    logs.map((log) => ({ ...log, data: `0x${'00'.repeat(31)}63` })),
  );
  pair.other.lieAbout('eth_getLogs', alter);
  const { byAll, bySome } = await pair.nodes.listTransfers(all);
  expect(byAll).toEqual([]);
  expect(amounts(bySome).sort()).toEqual([1n, 4n, 99n, 99n]);
});

test('a range that a node refuses is asked for in halves', async () => {
  const honest = await pair.nodes.listTransfers(all);
  const narrow: Lie = (true_, call) =>
    isWide(call.params[0], 100) ? refusal(-32005)(true_, call) : true_;
  pair.one.lieAbout('eth_getLogs', narrow);
  expect(await pair.nodes.listTransfers(all)).toEqual(honest);
});

test('a range of which the answer is too large is asked for in halves', async () => {
  const nodes = createChainNodes({
    rpcUrls: [pair.one.url, pair.other.url],
    depths: TEST_DEPTHS,
    limits: { answerBytesMax: 20_000 },
  });
  const swell: Lie = (true_, call) =>
    isWide(call.params[0], 200) ? { ...true_, result: ['0'.repeat(20_000)] } : true_;
  pair.other.lieAbout('eth_getLogs', swell);
  expect(amounts((await nodes.listTransfers(all)).byAll)).toEqual([1n, 4n]);
  await nodes.close();
});

test('a node that refuses a single block ends the question after a few', async () => {
  pair.one.lieAbout('eth_getLogs', refusal(-32005));
  pair.one.heard.length = 0;
  await expect(pair.nodes.listTransfers(all)).rejects.toEqual(unreadable('RANGE_REFUSED'));
  expect(pair.one.heard.filter((method) => method === 'eth_getLogs').length).toBeLessThan(15);
});

test('a node that refuses almost every range ends the question too', async () => {
  const narrow: Lie = (true_, call) =>
    isWide(call.params[0], 1) ? refusal(-32005)(true_, call) : true_;
  pair.one.lieAbout('eth_getLogs', narrow);
  await expect(pair.nodes.listTransfers(all)).rejects.toEqual(unreadable('RANGE_REFUSED'));
});

test('a node that has not got the last block does not answer for the range', async () => {
  pair.other.lieAbout(
    'eth_blockNumber',
    result(() => '0x14'),
  );
  pair.other.lieAbout(
    'eth_getLogs',
    result(() => []),
  );
  await expect(pair.nodes.listTransfers(all)).rejects.toEqual(unreadable('NODE_2_BEHIND'));
});

test.each([
  ['of another contract', () => ({ address: fake })],
  ['of a block outside the range', () => ({ blockNumber: '0x1' })],
  ['that was taken back', () => ({ removed: true }), 'NODE_1_REORG'],
  ['of another address', () => ({ topics: ['transfer', alice, carol] })],
  ['of another event', () => ({ topics: [`0x${'11'.repeat(32)}`] })],
])('a log %s makes the answer worthless', async (_what, fields, why = 'NODE_1_GARBAGE') => {
  const change = result((logs: readonly NodeLog[]) =>
    logs.map((log) => {
      const given = { ...log, ...fields() };
      if (given.topics[0] !== 'transfer') return given;
      const [topic, from] = log.topics;
      return { ...log, topics: [topic, from, `0x${'0'.repeat(24)}${carol.slice(2)}`] };
    }),
  );
  pair.one.lieAbout('eth_getLogs', change);
  await expect(pair.nodes.listTransfers(all)).rejects.toEqual(unreadable(why));
});

/** Addresses that nothing came to. */
const idle = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `0x${(index + 1).toString(16).padStart(40, '0')}`);

test('many addresses are asked about in parts of five hundred, and of few blocks all at once', async () => {
  const query = { ...all, addresses: [...idle(1_200), bob] };
  const honest = await pair.nodes.listTransfers(all);
  pair.one.heard.length = 0;
  expect(await pair.nodes.listTransfers(query)).toEqual(honest);
  const questions = () => pair.one.heard.filter((method) => method === 'eth_getLogs').length;
  expect(questions()).toBe(3);
  pair.one.heard.length = 0;
  const { number } = honest.byAll[0]!.block;
  const few = { ...query, from: number, to: number + 5n };
  expect(amounts((await pair.nodes.listTransfers(few)).byAll)).toEqual([1n]);
  expect(questions()).toBe(1);
  // What leaves them is matched by its sender.
  const leaving = { ...few, direction: 'FROM', addresses: [...idle(1_200), alice] } as const;
  expect(amounts((await pair.nodes.listTransfers(leaving)).byAll)).toContain(1n);
});

test('where all transfers of few blocks are too many for a node, the addresses are asked about in parts', async () => {
  const { number } = (await pair.nodes.listTransfers(all)).byAll[0]!.block;
  const few = { ...all, addresses: [...idle(1_200), bob], from: number, to: number };
  const isOfAll = (filter: unknown): boolean =>
    (filter as { topics: unknown[] }).topics.length === 1;
  pair.other.lieAbout('eth_getLogs', (honest, call) =>
    isOfAll(call.params[0]) ? refusal(-32_005)(honest, call) : honest,
  );
  expect(amounts((await pair.nodes.listTransfers(few)).byAll)).toEqual([1n]);
});

test('a question has its bounds, and one about no address is not asked', async () => {
  const refused = [
    { ...all, from: 0n, to: 2_000n },
    { ...all, from: 2n, to: 1n },
  ];
  for (const query of refused) {
    await expect(pair.nodes.listTransfers(query)).rejects.toThrow(RangeError);
  }
  pair.one.heard.length = 0;
  const none = await pair.nodes.listTransfers({ ...all, addresses: [] });
  expect(none).toEqual({ byAll: [], bySome: [] });
  expect(pair.one.heard).toEqual([]);
});
