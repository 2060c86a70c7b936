import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { BlockHeader } from '../../../src/domain/onchain/chain-facts.ts';
import { startAnvil, type TestAnvil } from '../../support/onchain/anvil.ts';
import { change, refusal } from '../../support/onchain/lying-node.ts';
import { openLyingPair, unreadable, type LyingPair } from '../../support/onchain/lying-pair.ts';

let anvil: TestAnvil;
let pair: LyingPair;
/** Reads by tags of the node. */
let tagged: LyingPair;
let block: BlockHeader;

beforeAll(async () => {
  anvil = await startAnvil();
  pair = await openLyingPair(anvil.url);
  tagged = await openLyingPair(anvil.url, {
    credit: { kind: 'TAG', tag: 'safe' },
    creditAbove: { kind: 'TAG', tag: 'finalized' },
    final: { kind: 'TAG', tag: 'finalized' },
  });
  await anvil.mine(5);
  block = (await pair.nodes.heads()).latest;
  await anvil.mine(20);
});

afterEach(() => {
  pair.repent();
  tagged.repent();
});

afterAll(async () => {
  await Promise.all([pair.close(), tagged.close()]);
  await anvil.close();
});

describe('heads', () => {
  test('are those of the node that lags', async () => {
    const honest = await pair.nodes.heads();
    const old = await anvil.rpc<object>('eth_getBlockByNumber', '0xd', false);
    pair.other.lieAbout('eth_getBlockByNumber', (true_, { params }) =>
      params[0] === 'latest' ? { ...true_, result: old } : true_,
    );
    const heads = await pair.nodes.heads();
    expect(heads.latest.number).toBe(13n);
    expect(heads.final.number).toBe(7n);
    expect(honest.latest.number).toBeGreaterThan(13n);
    expect(honest.behind).toBeNull();
    expect(heads.behind).toEqual({ node: 2, blocks: honest.latest.number - 13n });
  });

  test('are not moved up by a node that is alone with its newest block', async () => {
    const honest = await pair.nodes.heads();
    pair.other.lieAbout('eth_getBlockByNumber', (true_, call) =>
      call.params[0] === 'latest' ? change({ number: '0xffff' })(true_, call) : true_,
    );
    const behind = { node: 1, blocks: 0xffffn - honest.latest.number };
    expect(await pair.nodes.heads()).toEqual({ ...honest, behind });
  });

  test('are unreadable where the nodes are on two chains', async () => {
    pair.other.lieAbout('eth_getBlockByNumber', change({ hash: `0x${'ab'.repeat(32)}` }));
    await expect(pair.nodes.heads()).rejects.toEqual(unreadable('NODES_DIFFER'));
    await expect(pair.nodes.blockAt(block.number)).rejects.toEqual(unreadable('NODES_DIFFER'));
  });

  test('are unreadable where a node lacks a block that the other has', async () => {
    pair.one.lieAbout('eth_getBlockByNumber', (true_, call) =>
      call.params[0] === 'latest' ? true_ : { ...true_, result: null },
    );
    await expect(pair.nodes.heads()).rejects.toEqual(unreadable('NODES_DIFFER'));
    await expect(pair.nodes.blockAt(block.number)).rejects.toEqual(unreadable('NODES_DIFFER'));
  });

  test('are unreadable where a node gives a block of another number', async () => {
    pair.one.lieAbout('eth_getBlockByNumber', (true_, call) =>
      call.params[0] === 'latest' ? true_ : change({ number: '0x1' })(true_, call),
    );
    await expect(pair.nodes.heads()).rejects.toEqual(unreadable('NODE_1_GARBAGE'));
  });

  test('take the lower tag', async () => {
    const honest = await tagged.nodes.heads();
    const old = await anvil.rpc<object>('eth_getBlockByNumber', '0xa', false);
    tagged.one.lieAbout('eth_getBlockByNumber', (true_, { params }) =>
      params[0] === 'finalized' ? { ...true_, result: old } : true_,
    );
    const heads = await tagged.nodes.heads();
    expect(heads).toEqual({ ...honest, creditAbove: heads.final, final: heads.final });
    expect(heads.final.number).toBe(10n);
  });

  test('are unreadable where a node calls its newest block final', async () => {
    const newest = await anvil.rpc<object>('eth_getBlockByNumber', 'latest', false);
    tagged.other.lieAbout('eth_getBlockByNumber', (true_, { params }) =>
      params[0] === 'finalized' || params[0] === 'safe' ? { ...true_, result: newest } : true_,
    );
    await expect(tagged.nodes.heads()).rejects.toEqual(unreadable('NODE_2_TAG_NOT_BEHIND'));
  });

  test('are unreadable where final lies above safe, or is not known', async () => {
    const [safe, final] = [
      await anvil.rpc<object>('eth_getBlockByNumber', 'finalized', false),
      await anvil.rpc<object>('eth_getBlockByNumber', 'safe', false),
    ];
    tagged.other.lieAbout('eth_getBlockByNumber', (true_, { params }) => {
      if (params[0] === 'safe') return { ...true_, result: safe };
      return params[0] === 'finalized' ? { ...true_, result: final } : true_;
    });
    await expect(tagged.nodes.heads()).rejects.toEqual(unreadable('NODE_2_TAG_NOT_BEHIND'));
    tagged.other.lieAbout('eth_getBlockByNumber', (true_, call) =>
      call.params[0] === 'finalized' ? refusal(-39001)(true_, call) : true_,
    );
    await expect(tagged.nodes.heads()).rejects.toEqual(unreadable('NODE_2_ERROR_-39001'));
  });
});
