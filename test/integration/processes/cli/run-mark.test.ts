import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { isProcessAlive } from '../../../../src/cli/embedded/process-facts.ts';
import { runMark, stopLeftParts } from '../../../../src/cli/embedded/run-mark.ts';
import { programArguments } from '../../../../src/cli/embedded/program-arguments.ts';

const PROGRAM = join(import.meta.dirname, '../../../support/cli/programs', 'leave-part.ts');
const FS = `const fs = require('fs');`;
const SLEEP = 'setInterval(() => undefined, 1000);';
/** Ends once there is a file. */
const untilThere = (file: string) =>
  `${FS} const looks = setInterval(() => fs.existsSync(${file}) && clearInterval(looks), 50);`;
/** Says that it was asked to end, and goes on; says before that it can hear it. */
const deaf = (asked: string, listens: string) =>
  `${FS} process.on('SIGTERM', () => fs.writeFileSync(${asked}, ''));
   fs.writeFileSync(${listens}, ''); ${SLEEP}`;

let root: string;
let shown: string[];
const started: number[] = [];
/** Parts of runs that are gone, each on a folder of its own. */
const left = { asleep: 0, ending: 0, deaf: 0 };

const inRoot = (name: string): string => join(root, name);

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'cw-mark-'));
  const path = (name: string) => JSON.stringify(inRoot(name));
  const args = programArguments(PROGRAM);
  args.push(inRoot('asleep'), SLEEP, inRoot('ending'), untilThere(path('end')));
  args.push(inRoot('deaf'), deaf(path('asked'), path('listens')));
  const printed = execFileSync(process.execPath, args, { encoding: 'utf8' });
  const [asleep = 0, ending = 0, hearsNothing = 0] = printed.trim().split('\n').map(Number);
  started.push(asleep, ending, hearsNothing);
  Object.assign(left, { asleep, ending, deaf: hearsNothing });
});
beforeEach(() => {
  shown = [];
});
afterAll(() => {
  for (const pid of started) if (isProcessAlive(pid)) process.kill(pid, 'SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

function startOwn(env?: NodeJS.ProcessEnv): number {
  const { pid = 0 } = spawn(process.execPath, ['-e', SLEEP], { env, stdio: 'ignore' });
  started.push(pid);
  return pid;
}

const stop = (folder: string, times = { endAloneMs: 200, graceMs: 500 }) =>
  stopLeftParts(inRoot(folder), (line) => shown.push(line), times);

// Elsewhere only the files that name a process lead to it.
describe.runIf(platform() === 'linux')('what a killed run left behind', () => {
  it('is ended and said although no file names it, and no part of a run that lives, of another folder or of nobody', async () => {
    const parts = [startOwn(runMark(inRoot('asleep'))), left.asleep, startOwn()];
    await stop('other');
    expect(parts.map(isProcessAlive)).toEqual([true, true, true]);
    expect(shown).toEqual([]);
    await stop('asleep');
    expect(parts.map(isProcessAlive)).toEqual([true, false, true]);
    expect(shown).toEqual([
      `Stopped processes that an earlier run left behind (${String(left.asleep)})`,
    ]);
  });

  it('may end by itself first, and then nothing is said', async () => {
    expect(isProcessAlive(left.ending)).toBe(true);
    setTimeout(() => writeFileSync(inRoot('end'), ''), 100);
    await stop('ending', { endAloneMs: 20_000, graceMs: 500 });
    expect(isProcessAlive(left.ending)).toBe(false);
    expect(shown).toEqual([]);
  });

  it('is killed where it does not end when asked', async () => {
    await vi.waitFor(() => expect(existsSync(inRoot('listens'))).toBe(true), 60_000);
    await stop('deaf', { endAloneMs: 100, graceMs: 2_000 });
    await vi.waitFor(() => expect(isProcessAlive(left.deaf)).toBe(false));
    expect(existsSync(inRoot('asked'))).toBe(true);
  });
});
