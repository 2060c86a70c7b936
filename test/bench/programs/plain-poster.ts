import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import { nowMs } from '../clock.ts';
import { answerParent } from '../peers/answer-parent.ts';
import type { PlainOrder, PlainReport } from '../peers/plain-poster.ts';
import type { KeptRequest } from '../peers/receiver.ts';

// The yardstick of deliveries: a client that does nothing but post what it has in memory.

async function measure({ url, file, concurrency, warmUp }: PlainOrder): Promise<PlainReport> {
  const lines = readFileSync(file, 'utf8').split('\n');
  const requests = lines.map((line) => JSON.parse(line) as KeptRequest);
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections: concurrency, pipelining: 1 });
  const post = async (wanted: readonly KeptRequest[]) => {
    let next = 0;
    const lane = async () => {
      for (let one = wanted[next]; one !== undefined; one = wanted[next]) {
        next += 1;
        const { headers, body } = one;
        const answer = await pool.request({ method: 'POST', path, headers, body });
        await answer.body.dump();
      }
    };
    await Promise.all(Array.from({ length: concurrency }, lane));
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
    await pool.close();
  }
}

answerParent({ measure });
