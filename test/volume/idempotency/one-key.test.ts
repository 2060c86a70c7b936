import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../../src/cli/embedded/ports.ts';
import { openStack, type Beneficiary } from '../../support/e2e/stack.ts';
import { until } from '../../support/until.ts';
import { programArguments } from '../../../src/cli/embedded/program-arguments.ts';

const API = join(import.meta.dirname, '../../../src/server/processes/api.ts');
const POSTS = 1_000;
const KEY = 'one-key-a-thousand-times';
const ANSWER_MS_MAX = 120_000;

const stack = openStack();
let to: Beneficiary;
let secondApi: ChildProcess;
let pools: Pool[] = [];

beforeAll(async () => {
  await stack.untilReady();
  to = await stack.addBeneficiary();
  const port = await freePort();
  // What the stack gave to its own API, which Linux shows; only its ports are others.
  const environ = readFileSync(`/proc/${String(stack.pidOf('api'))}/environ`, 'utf8');
  const own = environ.split('\0').filter((line) => line.includes('='));
  const env = Object.fromEntries(
    own.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  secondApi = spawn(process.execPath, programArguments(API), {
    env: { ...env, PORT: String(port), MONITOR_PORT: '' },
    stdio: 'ignore',
  });
  const second = `http://127.0.0.1:${String(port)}`;
  await until('the second API', async () => {
    const answer = await fetch(`${second}/ready`).catch(() => null);
    return answer?.status === 200 ? true : null;
  });
  pools = [stack.state().apiUrl, second].map(
    (url) =>
      new Pool(url, {
        connections: 100,
        headersTimeout: ANSWER_MS_MAX,
        bodyTimeout: ANSWER_MS_MAX,
      }),
  );
});

afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  const gone = new Promise((resolve) => secondApi.once('exit', resolve));
  secondApi.kill('SIGTERM');
  await gone;
});

interface Posted {
  readonly statuses: readonly number[];
  readonly text: string;
  readonly isReplayed: boolean;
}

/** As a partner's program does: told that the first one is still running, it comes back when it is told to. */
async function postUntilAccepted(pool: Pool): Promise<Posted> {
  const statuses: number[] = [];
  for (;;) {
    const answer = await pool.request({
      ...{ method: 'POST', path: '/api/v1/payments' },
      headers: {
        authorization: `Bearer ${stack.state().testApiKey}`,
        'content-type': 'application/json',
        'idempotency-key': KEY,
      },
      body: JSON.stringify(stack.order(to, '10.00')),
    });
    const text = await answer.body.text();
    statuses.push(answer.statusCode);
    const isReplayed = answer.headers['idempotent-replayed'] === 'true';
    if (answer.statusCode !== 409) return { statuses, text, isReplayed };
    expect(text).toContain('idempotency_key_in_progress');
    await pause(1_000 * Number(answer.headers['retry-after']));
  }
}

it('a thousand posts of one key at once over two processes are one payment and one answer', async () => {
  const posted = await Promise.all(
    Array.from({ length: POSTS }, (_none, nth) => {
      const pool = pools[nth % pools.length];
      if (pool === undefined) throw new Error('there is no API');
      return postUntilAccepted(pool);
    }),
  );
  const statuses = new Set(posted.flatMap((one) => one.statuses));
  expect([...statuses].filter((status) => status !== 201 && status !== 409)).toEqual([]);
  expect(new Set(posted.map(({ text }) => text)).size).toBe(1);
  expect(posted.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
  const rows = await stack.sql('SELECT id FROM payments WHERE idempotency_key = $1', [KEY]);
  expect(rows).toHaveLength(1);
  const id = String(rows[0]?.['id']);
  await stack.untilPayment(id, 'COMPLETED');
  expect((await stack.journal(await stack.referenceOf(id))).executed.count).toBe(1);
}, 300_000);
