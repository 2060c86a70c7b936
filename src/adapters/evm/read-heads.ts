import type { BlockHeader, ChainHeads } from '../../domain/onchain/chain-facts.ts';
import { ChainUnreadable } from '../../domain/onchain/chain-nodes.ts';
import type { Depth, Depths } from '../../domain/onchain/network.ts';
import { agree, askEach, blockCall, readBlockAt, type EvmNode, type EvmNodes } from './evm-node.ts';
import type { RpcCall } from './json-rpc.ts';
import { readBlock } from './read-block.ts';

/** A node's tags of the chain's consensus (Ethereum JSON-RPC specification, "Block tag"). */
const TAGS = ['safe', 'finalized'] as const;

type Tag = (typeof TAGS)[number];

/** The numbers that one node gives its newest block and the tags that were asked for. */
type Tips = { readonly latest: bigint } & Partial<Readonly<Record<Tag, bigint>>>;

/**
 * The newest block of which every node knows, and for each depth the lowest that they give; a large amount is never
 * credited of a younger block than a small one. The header of each is the one that all nodes have at that number.
 * Throws ChainUnreadable.
 */
export async function readHeads(nodes: EvmNodes, depths: Depths): Promise<ChainHeads> {
  const tags = tagsOf(depths);
  const tips = await askEach(nodes, (node) => readOrderedTips(node, tags));
  const latest = lowest(tips.map((tip) => tip.latest));

  const numberAt = (depth: Depth): bigint => {
    if (depth.kind === 'BLOCKS') return highest([latest - BigInt(depth.blocks), 0n]);
    return lowest([latest, ...tips.flatMap((tip) => tip[depth.tag] ?? [])]);
  };
  const credit = numberAt(depths.credit);
  const numbers = {
    latest,
    credit,
    // A large amount waits for both: a network whose own tag stands still goes on making blocks.
    creditAbove: lowest([credit, numberAt(depths.creditAbove)]),
    final: numberAt(depths.final),
  };
  const headers = await readHeaders(nodes, [...new Set(Object.values(numbers))]);
  const headerAt = (number: bigint): BlockHeader => {
    const header = headers.get(number);
    if (header === undefined) throw new ChainUnreadable('NO_BLOCK');
    return header;
  };
  const newest = highest(tips.map((tip) => tip.latest));
  return {
    behind:
      newest === latest
        ? null
        : {
            node: tips.findIndex((tip) => tip.latest === latest) + 1,
            blocks: newest - latest,
          },
    latest: headerAt(numbers.latest),
    credit: headerAt(numbers.credit),
    creditAbove: headerAt(numbers.creditAbove),
    final: headerAt(numbers.final),
  };
}

/** The tags that the depths name, each once. */
export function tagsOf({ credit, creditAbove, final }: Depths): readonly Tag[] {
  const named = [credit, creditAbove, final].flatMap((depth) =>
    depth.kind === 'TAG' ? [depth.tag] : [],
  );
  return TAGS.filter((tag) => named.includes(tag));
}

/** What one node calls newest, safe and finalized. Throws ChainUnreadable, also for a tag without a block. */
export function readTips(node: EvmNode, tags: readonly Tag[]): Promise<Tips> {
  return node.read(tipCalls(tags), (results) => tipsIn(results, tags));
}

/**
 * Whether each tag lies under what it follows: finalized at most at safe, and both below the newest block
 * unless that is the first one of all.
 */
export function areTagsBehind({ latest, safe, finalized }: Tips): boolean {
  const isBehind = (tag: bigint | undefined): boolean =>
    tag === undefined || tag < latest || latest === 0n;
  const isOrdered = safe === undefined || finalized === undefined || finalized <= safe;
  return isOrdered && isBehind(safe) && isBehind(finalized);
}

function readOrderedTips(node: EvmNode, tags: readonly Tag[]): Promise<Tips> {
  return node.read(tipCalls(tags), (results) => {
    const tips = tipsIn(results, tags);
    if (!areTagsBehind(tips)) throw new ChainUnreadable('TAG_NOT_BEHIND');
    return tips;
  });
}

function tipCalls(tags: readonly Tag[]): RpcCall[] {
  return ['latest', ...tags].map((name) => {
    return { method: 'eth_getBlockByNumber', params: [name, false] };
  });
}

function tipsIn(results: readonly unknown[], tags: readonly Tag[]): Tips {
  const [latest, ...tagged] = results.map((result) => {
    const block = readBlock(result);
    if (block === null) throw new ChainUnreadable('NO_BLOCK');
    return block.number;
  });
  if (latest === undefined) throw new ChainUnreadable('GARBAGE');
  return { latest, ...Object.fromEntries(tags.map((tag, index) => [tag, tagged[index]])) };
}

async function readHeaders(
  nodes: EvmNodes,
  numbers: readonly bigint[],
): Promise<Map<bigint, BlockHeader>> {
  const headers = await agree(nodes, (node) =>
    node.read(numbers.map(blockCall), (results) =>
      numbers.map((number, index) => readBlockAt(results[index], number)),
    ),
  );
  const byNumber = new Map<bigint, BlockHeader>();
  for (const header of headers) {
    if (header !== null) byNumber.set(header.number, header);
  }
  return byNumber;
}

function lowest(numbers: readonly bigint[]): bigint {
  return numbers.reduce((low, number) => (number < low ? number : low));
}

function highest(numbers: readonly bigint[]): bigint {
  return numbers.reduce((high, number) => (number > high ? number : high));
}
