import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { BlockHeader } from '../../../src/domain/onchain/chain-facts.ts';
import { startAnvil, type TestAnvil } from '../../support/onchain/anvil.ts';
import { change, refusal, result, type Takeover } from '../../support/onchain/lying-node.ts';
import {
  openLyingPair,
  TEST_DEPTHS,
  unreadable,
  type LyingPair,
} from '../../support/onchain/lying-pair.ts';
import { deployUsdc, mintUsdc, usdcCall } from '../../support/onchain/usdc.ts';

let anvil: TestAnvil;
let pair: LyingPair;
let usdc: string;
let alice: string;
/** A transfer that is mined, and its block. */
let hash: string;
let block: BlockHeader;

beforeAll(async () => {
  anvil = await startAnvil();
  pair = await openLyingPair(anvil.url);
  usdc = await deployUsdc(anvil);
  alice = anvil.accounts[1]!;
  await mintUsdc(anvil, usdc, alice, 1_000_000_000n);
  const data = usdcCall('transfer', anvil.accounts[2], 5n);
  ({ transactionHash: hash } = await anvil.sendAndMine({ from: alice, to: usdc, data }));
  block = (await pair.nodes.heads()).latest;
  await anvil.mine(20);
});

afterEach(() => pair.repent());

afterAll(async () => {
  await pair.close();
  await anvil.close();
});

const other = (text: string): string => text.replace(/..$/, (end) => (end === '00' ? '01' : '00'));

/** Every question that is believed only where both nodes agree. */
const questions: [string, () => Promise<unknown>][] = [
  ['heads', () => pair.nodes.heads()],
  ['blockAt', () => pair.nodes.blockAt(block.number)],
  ['nonceAt', () => pair.nodes.nonceAt(alice, block)],
  ['findTransaction', () => pair.nodes.findTransaction(hash)],
  ['findByNonce', () => pair.nodes.findByNonce(alice, 0n, block)],
  ['tokenBalance', () => pair.nodes.tokenBalance(usdc, alice, block)],
  ['nativeBalance', () => pair.nodes.nativeBalance(alice, block)],
  ['suggestFees', () => pair.nodes.suggestFees()],
  ['tryCall', () => pair.nodes.tryCall({ from: alice, to: usdc, data: Buffer.of(1) })],
];

const ways: [string, Takeover, string][] = [
  ['is busy', (answer) => answer.writeHead(503).end(), 'NODE_2_HTTP_503'],
  [
    'answers without an end',
    (answer) => {
      const more = () => answer.writable && answer.write('0'.repeat(1_000_000), more);
      answer.writeHead(200, { 'content-type': 'application/json' }).write('["', more);
    },
    'NODE_2_TOO_LARGE',
  ],
  [
    'answers another question',
    (answer, honest) => {
      answer.end(JSON.stringify(honest.map((one) => ({ ...one, id: 77 }))));
    },
    'NODE_2_GARBAGE',
  ],
  [
    'writes no hex',
    (answer, honest) => {
      answer.end(JSON.stringify(honest.map((one) => ({ ...one, result: '0xzz' }))));
    },
    'NODE_2_GARBAGE',
  ],
];

test.each(questions)('%s is unreadable where one node drops the answer', async (_name, ask) => {
  pair.other.takeOver((answer) => answer.destroy());
  await expect(ask()).rejects.toEqual(unreadable('NODE_2_RESET'));
});

test('nothing is read where one node says nothing', async () => {
  const hasty = await openLyingPair(anvil.url, TEST_DEPTHS, 1_000);
  hasty.other.takeOver(() => undefined);
  await expect(hasty.nodes.findTransaction(hash)).rejects.toMatchObject({
    why: expect.stringMatching(/^NODE_[12]_TIMEOUT$/),
  });
  await hasty.close();
});

test.each(ways)('nothing is read where one node %s', async (_way, takeover, why) => {
  pair.other.takeOver(takeover);
  const finding = pair.nodes.findTransaction(hash);
  await expect(finding).rejects.toEqual(unreadable(why));
});

describe('a transaction', () => {
  test.each([
    ['status', { status: '0x0' }],
    ['block', { blockHash: `0x${'ab'.repeat(32)}`, logs: [] }],
    ['transfers', { logs: [] }],
    ['price', { effectiveGasPrice: '0x1' }],
  ])('of which one node forges the %s is unreadable', async (_what, fields) => {
    pair.one.lieAbout('eth_getTransactionReceipt', change(fields));
    await expect(pair.nodes.findTransaction(hash)).rejects.toEqual(unreadable('NODES_DIFFER'));
  });

  test('of which one node forges an amount is unreadable', async () => {
    const forge = result((receipt: { logs: object[] }) => {
      const logs = receipt.logs.map((log) => ({ ...log, data: `0x${'11'.repeat(32)}` }));
      return { ...receipt, logs };
    });
    pair.other.lieAbout('eth_getTransactionReceipt', forge);
    await expect(pair.nodes.findTransaction(hash)).rejects.toEqual(unreadable('NODES_DIFFER'));
  });

  test('of which one node gives the receipt of another is unreadable', async () => {
    pair.one.lieAbout(
      'eth_getTransactionReceipt',
      change({ transactionHash: other(hash), logs: [] }),
    );
    await expect(pair.nodes.findTransaction(hash)).rejects.toEqual(unreadable('NODE_1_GARBAGE'));
  });

  test('whose receipt contradicts itself is unreadable', async () => {
    const elsewhere = result((receipt: { logs: object[] }) => {
      const logs = receipt.logs.map((log) => ({ ...log, transactionHash: other(hash) }));
      return { ...receipt, logs };
    });
    pair.one.lieAbout('eth_getTransactionReceipt', elsewhere);
    await expect(pair.nodes.findTransaction(hash)).rejects.toEqual(unreadable('NODE_1_GARBAGE'));
    const doubled = result((receipt: { logs: object[] }) => {
      return { ...receipt, logs: [...receipt.logs, ...receipt.logs] };
    });
    pair.one.lieAbout('eth_getTransactionReceipt', doubled);
    await expect(pair.nodes.findTransaction(hash)).rejects.toEqual(unreadable('NODE_1_GARBAGE'));
  });

  test('under another nonce at one node is unreadable', async () => {
    pair.one.lieAbout('eth_getTransactionByHash', change({ nonce: '0x63' }));
    await expect(pair.nodes.findTransaction(hash)).rejects.toEqual(unreadable('NODES_DIFFER'));
  });

  test('is not mined because one node says so, and not unknown because the other one does', async () => {
    pair.one.lieAbout(
      'eth_getTransactionReceipt',
      result(() => null),
    );
    expect(await pair.nodes.findTransaction(hash)).toEqual({ kind: 'POOL' });
    pair.one.lieAbout(
      'eth_getTransactionByHash',
      result(() => null),
    );
    expect(await pair.nodes.findTransaction(hash)).toEqual({ kind: 'POOL' });
  });

  test('is not unknown where a node went back behind its head', async () => {
    const nothing = result(() => null);
    for (const node of [pair.one, pair.other]) {
      node.lieAbout('eth_getTransactionReceipt', nothing);
      node.lieAbout('eth_getTransactionByHash', nothing);
    }
    expect(await pair.nodes.findTransaction(hash)).toEqual({ kind: 'UNKNOWN' });
    let looks = 0;
    pair.one.lieAbout(
      'eth_blockNumber',
      result(() => ((looks += 1) === 1 ? '0xffff' : '0x1')),
    );
    await expect(pair.nodes.findTransaction(hash)).rejects.toEqual(unreadable('NODE_1_WENT_BACK'));
  });

  test('whose block is not the canonical one any more is unreadable', async () => {
    const reorganised = change({ hash: `0x${'ab'.repeat(32)}` });
    for (const node of [pair.one, pair.other]) node.lieAbout('eth_getBlockByNumber', reorganised);
    await expect(pair.nodes.findTransaction(hash)).rejects.toEqual(unreadable('REORG'));
  });

  test('is of another kind only where all nodes say so: one alone makes no payment another’s', async () => {
    expect(await pair.nodes.findSigned(hash)).not.toBeNull();
    const legacy = change({ type: '0x0' });
    pair.one.lieAbout('eth_getTransactionByHash', legacy);
    expect(await pair.nodes.findSigned(hash)).not.toBeNull();
    pair.other.lieAbout(
      'eth_getTransactionByHash',
      result(() => null),
    );
    await expect(pair.nodes.findSigned(hash)).rejects.toEqual(unreadable('NOT_FOUND'));
    pair.other.lieAbout('eth_getTransactionByHash', change({ value: '0x63' }));
    await expect(pair.nodes.findSigned(hash)).rejects.toEqual(unreadable('NODES_DIFFER'));
    pair.other.lieAbout('eth_getTransactionByHash', legacy);
    expect(await pair.nodes.findSigned(hash)).toBeNull();
  });

  test('of a nonce is found though one node counts wrong', async () => {
    const { latest } = await pair.nodes.heads();
    // Only where it is asked by number: what is proved is asked by hash.
    pair.one.lieAbout('eth_getTransactionCount', (true_, { params }) =>
      typeof params[1] === 'string' ? { ...true_, result: '0x0' } : true_,
    );
    expect(await pair.nodes.findByNonce(alice, 0n, latest)).toBe(hash);
  });

  test('of a nonce takes the blocks of both nodes', async () => {
    const { latest } = await pair.nodes.heads();
    const forge = result((honest: { transactions: object[] }) => {
      const transactions = honest.transactions.map((one) => {
        return typeof one === 'string' ? one : { ...one, hash: other(hash) };
      });
      return { ...honest, transactions };
    });
    pair.other.lieAbout('eth_getBlockByNumber', forge);
    await expect(pair.nodes.findByNonce(alice, 0n, latest)).rejects.toEqual(
      unreadable('NODES_DIFFER'),
    );
  });
});

describe('states', () => {
  test('that one node makes up are unreadable', async () => {
    pair.one.lieAbout(
      'eth_getTransactionCount',
      result(() => '0x63'),
    );
    pair.one.lieAbout(
      'eth_getBalance',
      result(() => '0x63'),
    );
    pair.one.lieAbout(
      'eth_call',
      result(() => `0x${'11'.repeat(32)}`),
    );
    const differ = unreadable('NODES_DIFFER');
    await expect(pair.nodes.nonceAt(alice, block)).rejects.toEqual(differ);
    await expect(pair.nodes.nativeBalance(alice, block)).rejects.toEqual(differ);
    await expect(pair.nodes.tokenBalance(usdc, alice, block)).rejects.toEqual(differ);
  });

  test('of a block that was reorganised away are unreadable', async () => {
    const own = await startAnvil();
    const reorganised = await openLyingPair(own.url);
    const snapshot = await own.rpc<string>('evm_snapshot');
    const sent = await own.sendAndMine({ from: alice, to: alice, value: '0x1' });
    const { latest: gone } = await reorganised.nodes.heads();
    expect(await reorganised.nodes.nonceAt(alice, gone)).toBe(1n);
    await own.rpc('evm_revert', snapshot);
    await own.rpc('evm_increaseTime', 60);
    await own.mine(2);
    expect(await reorganised.nodes.blockAt(gone.number)).not.toEqual(gone);
    await expect(reorganised.nodes.nonceAt(alice, gone)).rejects.toMatchObject({
      name: 'ChainUnreadable',
    });
    expect(await reorganised.nodes.findTransaction(sent.transactionHash)).toEqual({
      kind: 'UNKNOWN',
    });
    await reorganised.close();
    await own.close();
  });
});

describe('a call', () => {
  const transfer = () => ({
    from: alice,
    to: usdc,
    data: Buffer.from(usdcCall('transfer', anvil.accounts[2], 5n).slice(2), 'hex'),
  });

  test('does not fail because one node says so', async () => {
    pair.other.lieAbout('eth_call', refusal(3, '0x'));
    await expect(pair.nodes.tryCall(transfer())).rejects.toEqual(unreadable('NODES_DIFFER'));
    pair.one.lieAbout('eth_call', refusal(3, '0x'));
    expect(await pair.nodes.tryCall(transfer())).toEqual({ kind: 'FAILS' });
  });

  test('does not fail by an error that is about the node', async () => {
    for (const node of [pair.one, pair.other]) node.lieAbout('eth_call', refusal(-32000));
    await expect(pair.nodes.tryCall(transfer())).rejects.toMatchObject({
      name: 'ChainUnreadable',
    });
  });

  test('does not work where its gas cannot be told', async () => {
    pair.one.lieAbout('eth_estimateGas', refusal(-32000));
    await expect(pair.nodes.tryCall(transfer())).rejects.toEqual(unreadable('NODE_1_ERROR_-32000'));
  });

  test('takes the higher estimate, and the lower fees: the higher only for what is stuck', async () => {
    pair.one.lieAbout(
      'eth_estimateGas',
      result(() => '0x4c4b40'),
    );
    expect(await pair.nodes.tryCall(transfer())).toEqual({ kind: 'WORKS', gas: 5_000_000n });
    const honest = await pair.nodes.suggestFees();
    pair.other.lieAbout(
      'eth_maxPriorityFeePerGas',
      result(() => '0x174876e800'),
    );
    expect(await pair.nodes.suggestFees()).toEqual(honest);
    expect(await pair.nodes.suggestFees('STUCK')).toEqual({
      maxFeePerGas: honest.maxFeePerGas - honest.maxPriorityFeePerGas + 100_000_000_000n,
      maxPriorityFeePerGas: 100_000_000_000n,
    });
  });
});
