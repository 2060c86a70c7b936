import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import { nowMs } from '../clock.ts';
import { answerParent } from '../peers/answer-parent.ts';
import type { PlainClient, PlainOrder, PlainReport } from '../peers/plain-poster.ts';
import type { KeptRequest } from '../peers/receiver.ts';

// The yardstick of deliveries: what one writes without an engine. It posts what it has in memory, already
// signed, and reads each answer.

const TIMEOUT_MS = 15_000;

type Post = (request: KeptRequest) => Promise<unknown>;

const CLIENTS: Readonly<
  Record<PlainClient, (url: string, connections: number) => { post: Post; close: () => unknown }>
> = {
  undici(url, connections) {
    const { origin, pathname: path } = new URL(url);
    const pool = new Pool(origin, { connections, pipelining: 1 });
    return {
      async post({ headers, body }) {
        const signal = AbortSignal.timeout(TIMEOUT_MS);
        const answer = await pool.request({ method: 'POST', path, headers, body, signal });
        return answer.body.text();
      },
      close: () => pool.close(),
    };
  },
  fetch: (url) => ({
    async post({ headers, body }) {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const answer = await fetch(url, { method: 'POST', headers, body, signal });
      return answer.text();
    },
    close: () => undefined,
  }),
};

async function measure(order: PlainOrder): Promise<PlainReport> {
  const { url, file, concurrency, warmUp } = order;
  const lines = readFileSync(file, 'utf8').split('\n');
  const requests = lines.map((line) => JSON.parse(line) as KeptRequest);
  const client = CLIENTS[order.client](url, concurrency);
  const post = async (wanted: readonly KeptRequest[]) => {
    let next = 0;
    const runner = async () => {
      for (let one = wanted[next]; one !== undefined; one = wanted[next]) {
        next += 1;
        await client.post(one);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, runner));
  };
  try {
    await post(requests.slice(0, warmUp));
    const startedAtMs = nowMs();
    const cpu = process.cpuUsage();
    await post(requests);
    const tookMs = nowMs() - startedAtMs;
    const { user, system } = process.cpuUsage(cpu);
    return { requests: requests.length, tookMs, cpuMs: (user + system) / 1_000 };
  } finally {
    await client.close();
  }
}

answerParent({ measure });
