import { decodeFunctionData, encodeFunctionResult, parseAbi, toHex, type Hex } from 'viem';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createChainNodes } from '../../../src/adapters/evm/chain-nodes.ts';
import type { MinedTransaction } from '../../../src/domain/onchain/chain-facts.ts';
import { ChainUnreadable } from '../../../src/domain/onchain/chain-nodes.ts';
import { startAnvil, type TestAnvil } from '../../support/onchain/anvil.ts';
import { refusal, result, type Lie, type WrittenAnswer } from '../../support/onchain/lying-node.ts';
import {
  openLyingPair,
  TEST_DEPTHS,
  unreadable,
  type LyingPair,
} from '../../support/onchain/lying-pair.ts';
import { deployUsdc, mintUsdc, usdcCall } from '../../support/onchain/usdc.ts';

/** Answers every call with the word 0, 1, 7 or with nothing (EVM bytecode). */
const answering = (word: string): string => `0x600a600c600039600a6000f360${word}60005260206000f3`;
const SILENT_TOKEN = '0x6001600c60003960016000f300';

let anvil: TestAnvil;
let pair: LyingPair;
let usdc: string;
let alice: string;
let bob: string;

beforeAll(async () => {
  anvil = await startAnvil();
  pair = await openLyingPair(anvil.url);
  usdc = await deployUsdc(anvil);
  [alice, bob] = [anvil.accounts[1]!, anvil.accounts[2]!];
  await mintUsdc(anvil, usdc, alice, 1_000_000_000n);
});

afterEach(() => pair.repent());

afterAll(async () => {
  await pair.close();
  await anvil.close();
});

const transfer = (amount: bigint) => ({
  from: alice,
  to: usdc,
  data: usdcCall('transfer', bob, amount),
});
const bytesOf = (hex: string): Uint8Array => Buffer.from(hex.slice(2), 'hex');

async function mined(hash: string): Promise<MinedTransaction> {
  const finding = await pair.nodes.findTransaction(hash);
  if (finding.kind !== 'MINED') throw new Error(finding.kind);
  return finding.transaction;
}

test('heads lie as many blocks under the newest one as the depths say', async () => {
  await anvil.mine(10);
  const { latest, credit, creditAbove, final } = await pair.nodes.heads();
  expect(latest.number - credit.number).toBe(3n);
  expect(creditAbove).toEqual(credit);
  expect(latest.number - final.number).toBe(6n);
  const block = await anvil.rpc<{ hash: string; parentHash: string; timestamp: string }>(
    'eth_getBlockByNumber',
    `0x${final.number.toString(16)}`,
    false,
  );
  expect(final).toEqual({
    number: final.number,
    hash: block.hash,
    parentHash: block.parentHash,
    at: new Date(Number(block.timestamp) * 1_000),
  });
});

test('a depth may be a tag of the node', async () => {
  const nodes = createChainNodes({
    rpcUrls: [pair.one.url, pair.other.url],
    depths: {
      credit: { kind: 'TAG', tag: 'safe' },
      creditAbove: { kind: 'TAG', tag: 'finalized' },
      final: { kind: 'TAG', tag: 'finalized' },
    },
  });
  await anvil.mine(10);
  const heads = await nodes.heads();
  expect(heads.latest.number - heads.credit.number).toBe(2n);
  expect(heads.latest.number - heads.final.number).toBe(4n);
  await nodes.close();
});

test('a large amount is credited of no younger block than a small one, whatever its own depth says', async () => {
  const nodes = createChainNodes({
    rpcUrls: [pair.one.url, pair.other.url],
    depths: {
      credit: { kind: 'TAG', tag: 'finalized' },
      creditAbove: { kind: 'BLOCKS', blocks: 1 },
      final: { kind: 'TAG', tag: 'finalized' },
    },
  });
  await anvil.mine(10);
  const heads = await nodes.heads();
  expect(heads.latest.number - heads.credit.number).toBe(4n);
  expect(heads.creditAbove).toEqual(heads.credit);
  await nodes.close();
});

test('a chain that is younger than a depth has its first block there', async () => {
  const young = await startAnvil();
  const nodes = createChainNodes({ rpcUrls: [young.url], depths: TEST_DEPTHS });
  const heads = await nodes.heads();
  expect(heads.latest.number).toBe(0n);
  expect(heads.final).toEqual(heads.latest);
  await nodes.close();
  await young.close();
});

test('a block above the head is null', async () => {
  expect(await pair.nodes.blockAt(1_000_000n)).toBeNull();
});

test('balances and nonces are those after the block, not the newest', async () => {
  const { latest: before } = await pair.nodes.heads();
  await anvil.sendAndMine(transfer(5n));
  const { latest: after } = await pair.nodes.heads();
  const read = async (block: typeof before) => ({
    nonce: await pair.nodes.nonceAt(alice, block),
    tokens: await pair.nodes.tokenBalance(usdc, bob, block),
    wei: await pair.nodes.nativeBalance(alice, block),
  });
  const [earlier, later] = [await read(before), await read(after)];
  expect(later.nonce - earlier.nonce).toBe(1n);
  expect(later.tokens - earlier.tokens).toBe(5n);
  expect(later.wei).toBeLessThan(earlier.wei);
});

test('a token that is none has no balance to tell', async () => {
  const { latest } = await pair.nodes.heads();
  await expect(pair.nodes.tokenBalance(bob, alice, latest)).rejects.toThrow(ChainUnreadable);
});

test('a transaction is unknown, then in the pool, then mined with its fee and its transfers', async () => {
  expect(await pair.nodes.findTransaction(`0x${'ab'.repeat(32)}`)).toEqual({ kind: 'UNKNOWN' });
  const { latest } = await pair.nodes.heads();
  const nonce = await pair.nodes.nonceAt(alice, latest);
  const wei = await pair.nodes.nativeBalance(alice, latest);
  const hash = await anvil.send(transfer(7_000_000n));
  expect(await pair.nodes.findTransaction(hash)).toEqual({ kind: 'POOL' });
  await anvil.mine();
  const { latest: block } = await pair.nodes.heads();
  const transaction = await mined(hash);
  expect(transaction).toMatchObject({ hash, from: alice, nonce, block, isSuccess: true });
  expect(wei - transaction.fee).toBe(await pair.nodes.nativeBalance(alice, block));
  expect(transaction.transfers).toEqual([
    { contract: usdc, from: alice, to: bob, amount: 7_000_000n, ordinal: 0 },
  ]);
});

test("a transfer's place is counted within its own receipt", async () => {
  // A mint writes the event Mint before its Transfer, and another transaction comes first in the block.
  await anvil.send(transfer(1n));
  const hash = await anvil.send({
    from: anvil.accounts[0]!,
    to: usdc,
    data: usdcCall('mint', alice, 3n),
  });
  await anvil.mine();
  expect((await mined(hash)).transfers.map(({ ordinal }) => ordinal)).toEqual([1]);
});

test('a reverted transaction is mined without success, and moves nothing', async () => {
  const hash = await anvil.send({ ...transfer(10n ** 15n), gas: '0x30d40' });
  await anvil.mine();
  expect(await mined(hash)).toMatchObject({ isSuccess: false, transfers: [] });
});

test('the fee of L1 is part of what a transaction cost', async () => {
  const { transactionHash } = await anvil.sendAndMine(transfer(1n));
  const { fee } = await mined(transactionHash);
  const addL1Fee = result((receipt: object) => ({ ...receipt, l1Fee: '0x3e8' }));
  for (const node of [pair.one, pair.other]) node.lieAbout('eth_getTransactionReceipt', addL1Fee);
  expect((await mined(transactionHash)).fee).toBe(fee + 1_000n);
  // Not every node of an OP chain tells it.
  pair.other.lieAbout('eth_getTransactionReceipt', (true_) => true_);
  expect((await mined(transactionHash)).fee).toBe(fee + 1_000n);
});

test('the transaction of a nonce is found in whichever block it lies, in few questions', async () => {
  const first = await pair.nodes.nonceAt(alice, (await pair.nodes.heads()).latest);
  const hashes: string[] = [];
  for (const gap of [1, 40, 3, 100]) {
    // Two in one block.
    hashes.push(await anvil.send(transfer(1n)), await anvil.send(transfer(2n)));
    await anvil.mine(gap);
  }
  const { latest } = await pair.nodes.heads();
  for (const [index, hash] of hashes.entries()) {
    pair.one.heard.length = 0;
    const nonce = first + BigInt(index);
    expect(await pair.nodes.findByNonce(alice, nonce, latest)).toBe(hash);
    expect(pair.one.heard.length).toBeLessThan(20);
  }
  const unused = first + BigInt(hashes.length);
  expect(await pair.nodes.findByNonce(alice, unused, latest)).toBeNull();
  expect(await pair.nodes.findByNonce(alice, 0n, latest)).toMatch(/^0x[0-9a-f]{64}$/);
});

test('fees cover five blocks that are full', async () => {
  const { maxFeePerGas, maxPriorityFeePerGas } = await pair.nodes.suggestFees();
  const block = await anvil.rpc<{ baseFeePerGas: string }>(
    'eth_getBlockByNumber',
    'pending',
    false,
  );
  expect(maxFeePerGas).toBe(2n * BigInt(block.baseFeePerGas) + maxPriorityFeePerGas);
});

test('a call that works tells its gas, and one that the token reverts fails', async () => {
  const { data } = transfer(1n);
  const works = await pair.nodes.tryCall({ from: alice, to: usdc, data: bytesOf(data) });
  if (works.kind !== 'WORKS') throw new Error(works.kind);
  expect(works.gas).toBeGreaterThan(21_000n);
  const fails = await pair.nodes.tryCall({
    from: anvil.accounts[9]!,
    to: usdc,
    data: bytesOf(data),
  });
  expect(fails).toEqual({ kind: 'FAILS' });
});

test('a token may answer true or nothing; false is a failure, anything else is not understood', async () => {
  const tryToken = async (code: string) => {
    const deployed = await anvil.sendAndMine({ from: alice, data: code });
    return pair.nodes.tryCall({ from: alice, to: deployed.contractAddress!, data: Buffer.of(1) });
  };
  expect(await tryToken(SILENT_TOKEN)).toMatchObject({ kind: 'WORKS' });
  expect(await tryToken(answering('01'))).toMatchObject({ kind: 'WORKS' });
  expect(await tryToken(answering('00'))).toEqual({ kind: 'FAILS' });
  await expect(tryToken(answering('07'))).rejects.toThrow(ChainUnreadable);
});

test('the same bytes go to every node, and no answer is an error', async () => {
  const unsigned = { ...transfer(1n), gas: '0x30d40', maxFeePerGas: '0x77359400' };
  const raw = await anvil.rpc<string>('eth_signTransaction', {
    ...unsigned,
    maxPriorityFeePerGas: '0x1',
    nonce: await anvil.rpc<string>('eth_getTransactionCount', alice, 'latest'),
  });
  const sent: unknown[] = [];
  const note = (honest: WrittenAnswer, { params }: { params: readonly unknown[] }) => {
    sent.push(...params);
    return honest;
  };
  for (const node of [pair.one, pair.other]) node.lieAbout('eth_sendRawTransaction', note);
  await pair.nodes.broadcast([bytesOf(raw)]);
  await pair.nodes.broadcast([bytesOf(raw)]);
  expect(sent).toEqual([raw, raw, raw, raw]);
  await pair.nodes.broadcast([Buffer.from('no transaction')]);
  pair.one.takeOver((response) => response.destroy());
  await pair.nodes.broadcast([bytesOf(raw)]);
  await anvil.mine();
});

test('many transactions, receipts and blocks take a few requests, whatever their number', async () => {
  const hashes: string[] = [];
  for (let sent = 0; sent < 12; sent += 1) hashes.push(await anvil.send(transfer(1n)));
  await anvil.mine(2);
  const { latest } = await pair.nodes.heads();
  const blockNumber = latest.number - 1n;
  pair.one.heard.length = 0;
  const found = await pair.nodes.findTransactions([...hashes, `0x${'cd'.repeat(32)}`]);
  const kinds = found.map((one) => (one instanceof ChainUnreadable ? one.why : one.kind));
  expect(kinds).toEqual([...hashes.map(() => 'MINED'), 'UNKNOWN']);
  expect(await pair.nodes.findTransaction(hashes[3]!)).toEqual(found[3]);
  const blocks = await pair.nodes.blocksAt([latest.number, 1_000_000n, latest.number]);
  expect(blocks).toEqual([latest, null, latest]);
  pair.one.heard.length = 0;
  const receipts = await pair.nodes.findReceipts(hashes.map((hash) => ({ hash, blockNumber })));
  expect(
    receipts.every((one) => one !== null && 'transfers' in one && one.transfers.length === 1),
  ).toBe(true);
  // Of one block: its receipts and its header.
  expect(pair.one.heard).toEqual(['eth_getBlockReceipts', 'eth_getBlockByNumber']);
});

test('a receipt that only one node shows, or that differs, is proved by neither', async () => {
  const hashes: string[] = [];
  for (let sent = 0; sent < 4; sent += 1) {
    hashes.push((await anvil.sendAndMine(transfer(1n))).transactionHash);
  }
  const [first = '', second = '', third = ''] = hashes;
  const ask = () => pair.nodes.findReceipts(hashes.map((hash) => ({ hash, blockNumber: null })));
  pair.other.lieAbout('eth_getTransactionReceipt', (honest, { params }) => {
    if (params[0] === first) return { ...honest, result: null };
    if (params[0] === second)
      return { ...honest, result: { ...(honest.result as object), status: '0x0' } };
    return params[0] === third
      ? refusal(-32_603)(honest, { id: 0, method: '', params: [] })
      : honest;
  });
  const found = await ask();
  const why = (one: (typeof found)[number] | undefined) =>
    one instanceof ChainUnreadable ? one.why : one === null ? null : 'PROVED';
  expect(found.map(why)).toEqual([null, 'NODES_DIFFER', 'NODE_2_ERROR_-32603', 'PROVED']);
});

test('a node without receipts of whole blocks, or whose block is too large, gives them one by one', async () => {
  const hashes: string[] = [];
  for (let sent = 0; sent < 4; sent += 1) hashes.push(await anvil.send(transfer(1n)));
  await anvil.mine();
  const { latest } = await pair.nodes.heads();
  const queries = hashes.map((hash) => ({ hash, blockNumber: latest.number }));
  const honest = await pair.nodes.findReceipts(queries);
  pair.one.lieAbout('eth_getBlockReceipts', refusal(-32_003));
  expect(await pair.nodes.findReceipts(queries)).toEqual(honest);
  pair.other.lieAbout('eth_getBlockReceipts', refusal(-32_601));
  expect(await pair.nodes.findReceipts(queries)).toEqual(honest);
  pair.other.heard.length = 0;
  expect(await pair.nodes.findReceipts(queries)).toEqual(honest);
  expect(pair.other.heard).not.toContain('eth_getBlockReceipts');
});

/** `aggregate3` of Multicall3, as a node answers it that has the contract. */
const MULTICALL3 = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call[] calls) returns (Result[] results)',
]);

test('the balances of many addresses are those of each, with and without Multicall3', async () => {
  const { latest } = await pair.nodes.heads();
  const owners = [alice, bob, ...Array.from({ length: 60 }, () => alice)];
  const queries = owners.map((owner) => ({ contract: usdc, owner }));
  const each = await Promise.all(
    queries.map(({ owner }) => pair.nodes.tokenBalance(usdc, owner, latest)),
  );
  expect(await pair.nodes.tokenBalances(queries, latest)).toEqual(each);

  const balances = new Map(
    owners.map((owner, index) => [owner.slice(2).toLowerCase(), each[index]!]),
  );
  const aggregating =
    (change: (minor: bigint, index: number) => bigint | null): Lie =>
    (honest, { params }) => {
      const { to, data } = params[0] as { to: string; data: Hex };
      if (to !== '0xcA11bde05977b3631167028862bE2a173976CA11') return honest;
      const [calls] = decodeFunctionData({ abi: MULTICALL3, data }).args;
      const results = calls.map(({ callData }, index) => {
        const minor = change(balances.get(callData.slice(-40)) ?? -1n, index);
        return {
          success: minor !== null,
          returnData: minor === null ? '0x' : toHex(minor, { size: 32 }),
        } as const;
      });
      const result = encodeFunctionResult({ abi: MULTICALL3, result: results });
      return { jsonrpc: '2.0', id: honest.id, result };
    };
  for (const node of [pair.one, pair.other])
    node.lieAbout(
      'eth_call',
      aggregating((minor) => minor),
    );
  pair.one.heard.length = 0;
  expect(await pair.nodes.tokenBalances(queries, latest)).toEqual(each);
  expect(pair.one.heard).toEqual(['eth_call']);
  // One lies about one of them, and the token fails for another.
  pair.other.lieAbout(
    'eth_call',
    aggregating((minor, index) => (index === 0 ? minor + 1n : index === 1 ? null : minor)),
  );
  const [first, second, ...rest] = await pair.nodes.tokenBalances(queries, latest);
  expect([first, second]).toEqual([unreadable('NODES_DIFFER'), unreadable('NODE_2_NO_BALANCE')]);
  expect(rest).toEqual(each.slice(2));
});

test.each([-32_003, -32_008])(
  'a receipt that is over a bound of a node’s own is too large as well (%i)',
  async (code) => {
    const { transactionHash: hash } = await anvil.sendAndMine(transfer(5n));
    pair.other.lieAbout('eth_getTransactionByHash', refusal(code));
    const why = 'NODE_2_TOO_LARGE';
    await expect(pair.nodes.findTransaction(hash)).rejects.toEqual(unreadable(why));
  },
);
