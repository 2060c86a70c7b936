import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, it } from 'vitest';

const UNTIL_SIGNAL = join(import.meta.dirname, '../../../src/compose/until-signal.ts');
/** Says when it may be stopped and that it was asked to, and takes its time to stop until told. */
const PROGRAM = `
  import { untilSignal } from ${JSON.stringify(UNTIL_SIGNAL)};
  const asked = untilSignal();
  process.stdin.resume();
  console.log('ready');
  console.log(await asked);
  process.stdin.once('data', () => { console.log('stopped in order'); process.exit(0); });
`;

const ends: (() => void)[] = [];
afterEach(() => ends.splice(0).forEach((end) => end()));

function start() {
  const child = spawn(process.execPath, [
    ...['--import', 'tsx', '--input-type=module', '--eval', PROGRAM],
  ]);
  ends.push(() => child.kill('SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return { child, line: async () => String((await lines.next()).value) };
}

it('one press that comes twice, as by way of npm, does not break the stop off', async () => {
  const { child, line } = start();
  expect(await line()).toBe('ready');
  child.kill('SIGINT');
  expect(await line()).toBe('SIGINT');
  child.kill('SIGINT');
  child.stdin.write('go on\n');
  expect(await line()).toBe('stopped in order');
});

it('a press a second later ends it at once', async () => {
  const { child, line } = start();
  expect(await line()).toBe('ready');
  child.kill('SIGINT');
  expect(await line()).toBe('SIGINT');
  const ended = once(child, 'exit');
  const again = setInterval(() => child.kill('SIGINT'), 100);
  ends.push(() => {
    clearInterval(again);
  });
  expect(await ended).toEqual([130, null]);
});
