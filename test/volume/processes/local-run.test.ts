import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { freePort } from '../../../src/cli/embedded/ports.ts';
import { isProcessAlive } from '../../../src/cli/embedded/process-facts.ts';
import { stackEnvironment } from '../../support/stack-environment.ts';
import { until } from '../../support/until.ts';
import { openStack } from '../../support/e2e/stack.ts';
import { programArguments } from '../../../src/cli/embedded/program-arguments.ts';

const DEV = join(import.meta.dirname, '../../../src/cli/dev.ts');

const folder = mkdtempSync(join(tmpdir(), 'causeway-test-dev-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** `npm run dev` in a process group of its own, as a terminal starts it. */
function startDev(ports: Record<string, string> = {}) {
  const child = spawn(process.execPath, programArguments(DEV), {
    env: { ...stackEnvironment(folder), ...ports },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    ended,
    output: () => output,
    ready: () =>
      until(
        () => `the local run: ${output}`,
        () => (output.includes('Ctrl-C stops it') ? true : null),
        300_000,
      ),
    kill: () => child.kill('SIGKILL'),
    /** As a terminal does: to the whole group. */
    interrupt: () => process.kill(-(child.pid ?? 0), 'SIGINT'),
  };
}

it('a local run refuses a second one, survives its own death, and stops all that it started', async () => {
  const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    detached: true,
  });
  children.push(bystander);
  // Killed, it leaves its servers on their ports; the next one is to have the same ones.
  const ports = {
    POSTGRES_PORT: String(await freePort()),
    TEMPORAL_PORT: String(await freePort()),
    TEMPORAL_UI_PORT: String(await freePort()),
  };
  const first = startDev(ports);
  await first.ready();
  const own = openStack(folder);
  const { testApiKey, liveApiKey, pids: firstPids } = own.state();
  const id = await own.pay(await own.addBeneficiary(), '10.00');
  const before = await own.untilPayment(id, 'COMPLETED');

  const second = startDev();
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain(`Causeway already runs on ${folder}`);
  expect(second.output()).not.toMatch(/^\s+at .+:\d+/m);

  first.kill();
  await first.ended;
  expect(isProcessAlive(firstPids['postgres'] ?? 0)).toBe(true);
  expect(isProcessAlive(firstPids['temporal'] ?? 0)).toBe(true);

  const third = startDev(ports);
  await third.ready();
  expect(third.output()).toContain('stopped the server that an earlier run left behind');
  const { pids, ...state } = own.state();
  expect(state).toMatchObject({ testApiKey, liveApiKey });
  const after = await own.payment(id);
  expect(after).toMatchObject({ id, status: 'COMPLETED', references: before.references });

  third.interrupt();
  expect(await third.ended).toBe(0);
  const isNumber = (pid: number | null): pid is number => pid !== null;
  const started = Object.values(pids).filter(isNumber);
  expect(started.length).toBeGreaterThanOrEqual(5);
  expect([...started, ...Object.values(firstPids).filter(isNumber)].filter(isProcessAlive)).toEqual(
    [],
  );
  expect(isProcessAlive(bystander.pid ?? 0)).toBe(true);
  expect(existsSync(join(folder, 'state.json'))).toBe(false);
}, 700_000);
