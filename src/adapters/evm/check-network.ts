import type { Depths, ListedAsset, Network } from '../../domain/onchain/network.ts';
import { ChainUnreadable } from '../../domain/onchain/chain-nodes.ts';
import type { Environment } from '../../domain/scope.ts';
import { checkAsset } from './check-asset.ts';
import type { EvmNode } from './evm-node.ts';
import { readQuantity } from './hex.ts';
import type { JsonRpcLimits } from './json-rpc.ts';
import { openNodes } from './open-nodes.ts';
import type { Finding, NetworkProblem } from './network-problem.ts';
import { readBlock } from './read-block.ts';
import { areTagsBehind, readTips, tagsOf } from './read-heads.ts';

/** What is configured of a network and can be held against what its nodes say. */
export interface CheckedNetwork {
  readonly environment: Environment;
  readonly network: Network;
  readonly chainId: number;
  /** The hash of block 0; null where it is not configured. */
  readonly genesis: string | null;
  readonly rpcUrls: readonly string[];
  readonly assets: readonly ListedAsset[];
  readonly depths: Depths;
}

interface CheckDeps {
  /** Waits between two poll cycles of the tags, in milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
  readonly limits?: Partial<JsonRpcLimits>;
}

/** A tag may lie at the newest block for a moment; one that always does is none. */
const READS_OF_TAGS = 3;
const BETWEEN_READS_MS = 2_000;

/**
 * Everything in which a network's settings and its nodes contradict each other; each node is asked by
 * itself. Live needs two providers on two hosts, and tags that lie behind the newest block: a node that
 * calls everything final at once would have us credit what a reorganisation takes away. Never throws for
 * what nodes do.
 */
export async function checkNetwork(
  checked: CheckedNetwork,
  { pause, limits }: CheckDeps,
): Promise<NetworkProblem[]> {
  const { environment, network, rpcUrls, assets } = checked;
  const isLive = environment === 'live';
  const { nodes, close } = openNodes(rpcUrls, limits);
  const findings = isLive ? checkProviders(rpcUrls) : [];
  try {
    for (const [index, node] of nodes.entries()) {
      const field = `rpcUrls[${index}]`;
      const checks = [
        () => checkChain(node, checked, field),
        ...assets.map((asset, place) => () => checkAsset(node, asset, `assets[${place}]`)),
        ...(isLive ? [() => checkTags(node, checked, { field, pause })] : []),
      ];
      findings.push(...(await runChecks(checks, field)));
    }
  } finally {
    await close();
  }
  return withoutDoubles(findings).map((finding) => ({ ...finding, environment, network }));
}

/** The first node that cannot be read ends its checks: the others would wait for it as long. */
async function runChecks(
  checks: readonly (() => Promise<Finding[]>)[],
  field: string,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  try {
    for (const check of checks) findings.push(...(await check()));
  } catch (error) {
    if (!(error instanceof ChainUnreadable)) throw error;
    findings.push({ kind: 'UNREADABLE', field, problem: `could not be read: ${error.why}` });
  }
  return findings;
}

function checkProviders(rpcUrls: readonly string[]): Finding[] {
  const wrong = (problem: string): Finding[] => [{ kind: 'WRONG', field: 'rpcUrls', problem }];
  if (rpcUrls.length < 2) return wrong('live needs the nodes of two providers');
  const hosts = new Set(rpcUrls.map((url) => new URL(url).hostname.replace(/\.$/, '')));
  return hosts.size < rpcUrls.length ? wrong('two of the nodes have the same host') : [];
}

async function checkChain(
  node: EvmNode,
  { chainId, genesis }: CheckedNetwork,
  field: string,
): Promise<Finding[]> {
  const calls = [
    { method: 'eth_chainId', params: [] },
    { method: 'eth_getBlockByNumber', params: ['0x0', false] },
  ];
  const [answeredId, first] = await node.read(calls, ([id, block]) => {
    return [readQuantity(id), readBlock(block)] as const;
  });
  const findings: Finding[] = [];
  if (answeredId !== BigInt(chainId)) {
    findings.push({ kind: 'WRONG', field, problem: `is of another chain than ${chainId}` });
  }
  if (genesis !== null && first?.hash !== genesis.toLowerCase()) {
    const problem = 'has another first block than `genesis` says';
    findings.push({ kind: 'WRONG', field, problem });
  }
  return findings;
}

async function checkTags(
  node: EvmNode,
  { depths }: CheckedNetwork,
  { field, pause }: { field: string; pause: CheckDeps['pause'] },
): Promise<Finding[]> {
  const tags = tagsOf(depths);
  if (tags.length === 0) return [];
  for (let read = 1; read <= READS_OF_TAGS; read += 1) {
    const tips = await readTips(node, tags);
    if (areTagsBehind(tips) && tips.latest > 0n) return [];
    if (read < READS_OF_TAGS) await pause(BETWEEN_READS_MS);
  }
  const problem = `calls blocks ${tags.join(' or ')} that are its newest: they must lie behind it`;
  return [{ kind: 'WRONG', field, problem }];
}

/** Two nodes mostly find the same wrong with a contract. */
function withoutDoubles(findings: readonly Finding[]): Finding[] {
  const byText = new Map(findings.map((one) => [`${one.kind} ${one.field} ${one.problem}`, one]));
  return [...byText.values()];
}
