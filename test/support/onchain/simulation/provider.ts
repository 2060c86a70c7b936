import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request as ask } from 'undici';
import type { HeardCall, WrittenAnswer } from '../lying-node.ts';
import type { SimulatedTime } from './simulated-time.ts';

export interface Provider {
  readonly url: string;
  /** JSON-RPC calls by method, batched or not, those that failed included. */
  readonly items: ReadonlyMap<string, number>;
  /** Requests over HTTP, and the most calls in one of them. */
  requests(): number;
  largestBatch(): number;
  /** Refuses everything at once from now on. */
  shut(): void;
  close(): Promise<void>;
}

/** One round trip, in ms of the simulation. */
const ROUND_TRIP_MS = 80;
const TIMEOUT_MS = 10_000;
/** As providers document: blocks of one eth_getLogs, events that it answers, calls of a batch. */
const LOG_BLOCKS_MAX = 10_000;
const LOGS_MAX = 10_000;
const BATCH_MAX = 1_000;
/** A key of the JSON-RPC specification for "limit exceeded". */
const LIMIT_EXCEEDED = -32_005;

type Fate = 'ANSWERED' | 'REFUSED' | 'ERROR' | 'TIMEOUT' | 'SHORT';
const FAILURES: readonly Fate[] = ['REFUSED', 'ERROR', 'TIMEOUT', 'SHORT'];

/**
 * One provider of a simulated network: it answers as a node behind a balancer does, after a round trip, and fails now and
 * then. The node's own tags are replaced by the blocks that `tags` gives.
 */
export async function startProvider(options: {
  readonly time: SimulatedTime;
  readonly node: string;
  readonly tags: () => Readonly<Record<string, number>>;
  readonly random: () => number;
  /** Of 100 requests over HTTP so many fail, each in one of four ways. */
  readonly failedPercent: number;
}): Promise<Provider> {
  const { time, node, tags, random, failedPercent } = options;
  const items = new Map<string, number>();
  const agent = new Agent({ connections: 16, pipelining: 1 });
  let requests = 0;
  let largestBatch = 0;
  let isShut = false;

  function drawFate(): Fate {
    if (random() >= failedPercent / 100) return 'ANSWERED';
    return FAILURES[Math.floor(random() * FAILURES.length)] ?? 'REFUSED';
  }
  /** The node answers calls that it does not know, and time stands still meanwhile. */
  async function forward(calls: readonly HeardCall[]): Promise<readonly WrittenAnswer[]> {
    if (calls.length === 0) return [];
    const { safe, finalized } = tags();
    const body = JSON.stringify(calls)
      .replaceAll('"safe"', `"0x${(safe ?? 0).toString(16)}"`)
      .replaceAll('"finalized"', `"0x${(finalized ?? 0).toString(16)}"`);
    return time.working(async () => {
      const headers = { 'content-type': 'application/json' };
      const answer = await ask(node, { method: 'POST', dispatcher: agent, headers, body });
      return (await answer.body.json()) as readonly WrittenAnswer[];
    });
  }

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const asked = JSON.parse(await readText(incoming)) as HeardCall | readonly HeardCall[];
    const calls = Array.isArray(asked) ? (asked as readonly HeardCall[]) : [asked as HeardCall];
    requests += 1;
    largestBatch = Math.max(largestBatch, calls.length);
    for (const { method } of calls) items.set(method, (items.get(method) ?? 0) + 1);
    const fate = drawFate();
    if (!isShut) await time.sleep(fate === 'TIMEOUT' ? TIMEOUT_MS : ROUND_TRIP_MS);
    if (fate === 'TIMEOUT') {
      outgoing.destroy();
      return;
    }
    if (isShut || fate === 'REFUSED' || calls.length > BATCH_MAX) {
      outgoing.writeHead(calls.length > BATCH_MAX ? 413 : 503).end();
      return;
    }
    const tooWide = calls.filter(isTooWide);
    const known = await forward(calls.filter((call) => !tooWide.includes(call)));
    const answers = [...known.map(bounded), ...tooWide.map(overLimit)];
    const victim = Math.floor(random() * answers.length);
    const given =
      fate === 'SHORT'
        ? answers.filter((_one, index) => index !== victim)
        : answers.map((one, index) =>
            fate === 'ERROR' && index === victim ? overLimit(one) : one,
          );
    outgoing
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify(Array.isArray(asked) ? given : (given[0] ?? null)));
  }

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.keepAliveTimeout = 600_000;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    items,
    requests: () => requests,
    largestBatch: () => largestBatch,
    shut() {
      isShut = true;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await agent.destroy();
    },
  };
}

const overLimit = ({ id }: { readonly id: unknown }): WrittenAnswer => ({
  jsonrpc: '2.0',
  id,
  error: { code: LIMIT_EXCEEDED, message: 'limit exceeded' },
});

const bounded = (answer: WrittenAnswer): WrittenAnswer =>
  Array.isArray(answer.result) && answer.result.length > LOGS_MAX ? overLimit(answer) : answer;

function isTooWide({ method, params }: HeardCall): boolean {
  if (method !== 'eth_getLogs') return false;
  const { fromBlock, toBlock } = (params[0] ?? {}) as Record<string, unknown>;
  return Number(toBlock) - Number(fromBlock) >= LOG_BLOCKS_MAX;
}

async function readText(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
