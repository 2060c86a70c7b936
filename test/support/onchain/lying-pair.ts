import { expect } from 'vitest';
import { createChainNodes, type EvmChainNodes } from '../../../src/adapters/evm/chain-nodes.ts';
import { usualDepths } from '../../../src/domain/onchain/usual-depths.ts';
import { startLyingNode, type LyingNode } from './lying-node.ts';

export interface LyingPair {
  readonly one: LyingNode;
  readonly other: LyingNode;
  readonly nodes: EvmChainNodes;
  /** Makes both honest again. */
  repent(): void;
  close(): Promise<void>;
}

/** 3, 3 and 6 blocks. */
export const TEST_DEPTHS = usualDepths('test', 'BASE');

/** What a question rejects with that is not believed. */
export const unreadable = (why: string): unknown =>
  expect.objectContaining({ name: 'ChainUnreadable', why });

/** One chain by way of two nodes of which either lies when told to. A test of silence says how long one is waited for. */
export async function openLyingPair(
  target: string,
  depths = TEST_DEPTHS,
  timeoutMs = 10_000,
): Promise<LyingPair> {
  const [one, other] = await Promise.all([startLyingNode(target), startLyingNode(target)]);
  const nodes = createChainNodes({
    rpcUrls: [one.url, other.url],
    depths,
    limits: { timeoutMs },
  });
  return {
    one,
    other,
    nodes,
    repent() {
      for (const node of [one, other]) node.repent();
    },
    async close() {
      await nodes.close();
      await Promise.all([one.close(), other.close()]);
    },
  };
}
