import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SupervisedChild } from '../../../../src/cli/embedded/child.ts';
import { superviseChild } from '../../../../src/cli/embedded/child.ts';
import { isProcessAlive } from '../../../../src/cli/embedded/process-facts.ts';
import { programArguments } from '../../../../src/cli/embedded/program-arguments.ts';

const PROGRAMS = join(import.meta.dirname, '../../../support/cli/programs');
let folder: string;
let lines: string[];
let child: SupervisedChild | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cw-child-'));
  lines = [];
});
afterEach(async () => {
  await child?.stop(0);
  child = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const logFile = (): string => join(folder, 'child.log');

function supervise(args: string[], withinMs: number | null = 2000): SupervisedChild {
  child = superviseChild({
    name: 'api',
    command: process.execPath,
    args,
    env: {},
    logFile: logFile(),
    onLine: (line) => lines.push(line),
    restart: withinMs === null ? null : { withinMs },
  });
  return child;
}

/** The ids of the newest child and of its own child. */
async function newestPids(starts: number): Promise<number[]> {
  return vi.waitFor(() => {
    const said = lines.filter((line) => line.includes('pids'));
    expect(said).toHaveLength(starts);
    return (said.at(-1) ?? '').split(' ').slice(2).map(Number);
  }, 60_000);
}

describe('a supervised child', () => {
  it('runs again when it dies unasked, and a plain line says so', async () => {
    const running = supervise([join(PROGRAMS, 'child.mjs')]);
    const restarted: number[] = [];
    running.onRestart((pid) => restarted.push(pid));
    const [first = 0, grandchild = 0] = await newestPids(1);
    process.kill(first, 'SIGKILL');
    await vi.waitFor(() => expect(restarted).toHaveLength(1), { timeout: 5000, interval: 10 });
    expect(lines).toContain('[api] died (signal SIGKILL), starting it again');
    const [second = 0] = await newestPids(2);
    expect(restarted).toEqual([second]);
    expect(running.deaths()).toBe(1);
    expect(running.lastWords().join()).toContain(`pids ${String(first)}`);
    expect(running.pid()).toBe(second);
    // It would hold the port that the new one needs.
    expect(isProcessAlive(grandchild)).toBe(false);
  });

  it('is not started again after a stop, and its own children end with it', async () => {
    const running = supervise([join(PROGRAMS, 'child.mjs')]);
    const pids = await newestPids(1);
    await running.stop(5000);
    await vi.waitFor(() => expect(pids.filter(isProcessAlive)).toEqual([]), 60_000);
    expect(running.pid()).toBeNull();
    expect(lines.filter((line) => line.includes('starting it again'))).toEqual([]);
  });

  it('is killed with all its children when it does not end within the grace', async () => {
    const running = supervise([join(PROGRAMS, 'child.mjs'), 'stubborn']);
    const pids = await newestPids(1);
    await running.stop(100);
    await vi.waitFor(() => expect(pids.filter(isProcessAlive)).toEqual([]), 60_000);
  });

  it('stays dead where no restart is wanted, and a stop in the pause before one prevents it', async () => {
    supervise(['-e', 'process.exit(3)'], null);
    await vi.waitFor(() => expect(lines).toContain('[api] died (code 3)'), 60_000);
    const running = supervise(['-e', 'process.exit(4)']);
    await vi.waitFor(() => expect(lines.join()).toContain('died (code 4)'), 60_000);
    await running.stop(0);
    expect(running.pid()).toBeNull();
  });

  it('a program that does not exist is a line, not a crash', async () => {
    child = superviseChild({
      name: 'api',
      command: join(folder, 'nothing'),
      args: [],
      env: {},
      logFile: logFile(),
      onLine: (line) => lines.push(line),
      restart: null,
    });
    await vi.waitFor(() => expect(lines.join()).toMatch(/\[api\] died \(.*ENOENT\)/), 60_000);
  });

  it('its output goes to the sink with its name and to the log file without', async () => {
    supervise(
      ['-e', "console.log('ä one'); console.error('two'); process.stdout.write('three')"],
      null,
    );
    await vi.waitFor(() => expect(lines).toContain('[api] died (code 0)'), 60_000);
    await vi.waitFor(() => {
      expect(lines).toEqual(expect.arrayContaining(['[api] ä one', '[api] two', '[api] three']));
    }, 60_000);
    expect(readFileSync(logFile(), 'utf8').split('\n').sort()).toEqual([
      '',
      'three',
      'two',
      'ä one',
    ]);
  });

  it('ends by itself when the process that supervises it is killed', async () => {
    const parent = spawn(
      process.execPath,
      [...programArguments(join(PROGRAMS, 'parent.ts')), logFile()],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let said = '';
    parent.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const pid = await vi.waitFor(() => {
      const found = /\[orphan\] pid (\d+)/.exec(said)?.[1];
      expect(found).toBeDefined();
      return Number(found);
    }, 60_000);
    expect(isProcessAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await vi.waitFor(() => expect(isProcessAlive(pid)).toBe(false), 60_000);
  });

  it('ends also when that one is gone before the child has loaded its modules', async () => {
    const orphan = spawn(process.execPath, programArguments(join(PROGRAMS, 'orphan-child.ts')), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    orphan.disconnect();
    try {
      await vi.waitFor(() => expect(orphan.exitCode).toBe(1), 60_000);
    } finally {
      orphan.kill('SIGKILL');
    }
  });
});
