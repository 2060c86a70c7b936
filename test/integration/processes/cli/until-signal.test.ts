import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, it } from 'vitest';
import { programArguments } from '../../../../src/cli/embedded/program-arguments.ts';

const PROGRAM = join(import.meta.dirname, '../../../support/cli/programs/hear-signals.ts');

const ends: (() => void)[] = [];
afterEach(() => ends.splice(0).forEach((end) => end()));

async function start(samePressMs: number) {
  const child = spawn(process.execPath, [...programArguments(PROGRAM), String(samePressMs)]);
  ends.push(() => child.kill('SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const line = async () => String((await lines.next()).value);
  expect(await line()).toBe('ready');
  return { child, line };
}

it('one press that comes twice, as by way of npm, does not break the stop off', async () => {
  const { child, line } = await start(60_000);
  child.kill('SIGINT');
  expect(await line()).toBe('press 1');
  child.kill('SIGINT');
  expect(await line()).toBe('press 2');
  child.stdin.write('go on\n');
  expect(await line()).toBe('stopped in order');
});

it('a press that comes later ends it at once', async () => {
  const { child, line } = await start(0);
  child.kill('SIGINT');
  expect(await line()).toBe('press 1');
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
});
