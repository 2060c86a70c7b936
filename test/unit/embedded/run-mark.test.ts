import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isProcessAlive } from '../../../src/local/embedded/process-facts.ts';
import { runMark, stopLeftParts } from '../../../src/local/embedded/run-mark.ts';

const PROGRAM = join(import.meta.dirname, 'programs', 'leave-part.ts');
const SLEEP = 'setInterval(() => undefined, 1000)';
const DEAF = `process.on('SIGTERM', () => require('fs').writeFileSync(FILE, '')); ${SLEEP}`;

let folder: string;
let shown: string[];
const started: number[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cw-mark-'));
  shown = [];
});
afterEach(() => {
  for (const pid of started.splice(0)) if (isProcessAlive(pid)) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A part of a run that is gone. */
function leavePart(script: string): number {
  const args = ['--import', 'tsx', PROGRAM, folder, script];
  const pid = Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  started.push(pid);
  return pid;
}

function startOwn(of: string): number {
  const { pid = 0 } = spawn(process.execPath, ['-e', SLEEP], { env: runMark(of), stdio: 'ignore' });
  started.push(pid);
  return pid;
}

const stop = (times = { endAloneMs: 200, graceMs: 500 }) =>
  stopLeftParts(folder, (line) => shown.push(line), times);

// Elsewhere only the files that name a process lead to it.
describe.runIf(platform() === 'linux')('what a killed run left behind', () => {
  it('is ended and said although no file names it', async () => {
    const pid = leavePart(SLEEP);
    await stop();
    expect(isProcessAlive(pid)).toBe(false);
    expect(shown).toEqual([`Stopped what an earlier run left behind (processes ${pid})`]);
  });

  it('may end by itself first, and then nothing is said', async () => {
    const pid = leavePart(`setTimeout(() => undefined, 1000)`);
    await stop({ endAloneMs: 20_000, graceMs: 500 });
    expect(isProcessAlive(pid)).toBe(false);
    expect(shown).toEqual([]);
  });

  it('is killed where it does not end when asked', async () => {
    const file = join(folder, 'asked');
    const pid = leavePart(DEAF.replace('FILE', JSON.stringify(file)));
    await stop({ endAloneMs: 5_000, graceMs: 2_000 });
    await vi.waitFor(() => expect(isProcessAlive(pid)).toBe(false));
    expect(existsSync(file)).toBe(true);
  });

  it('is told apart from parts of a run that lives, of another folder, and of nobody', async () => {
    const own = startOwn(folder);
    const left = leavePart(SLEEP);
    const { pid: unmarked = 0 } = spawn(process.execPath, ['-e', SLEEP], { stdio: 'ignore' });
    started.push(unmarked);
    await stopLeftParts(`${folder}-other`, (line) => shown.push(line));
    expect([own, left, unmarked].map(isProcessAlive)).toEqual([true, true, true]);
    await stop();
    expect([own, left, unmarked].map(isProcessAlive)).toEqual([true, false, true]);
  });
});
