import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, it } from 'vitest';

const UNTIL_SIGNAL = join(import.meta.dirname, '../../../../src/server/runtime/until-signal.ts');
/** Says what it hears, and takes its time to stop until it is told to go on. */
const program = (samePressMs: number) => `
  import { untilSignal } from ${JSON.stringify(UNTIL_SIGNAL)};
  const asked = untilSignal(['SIGINT'], ${String(samePressMs)});
  let presses = 0;
  process.on('SIGINT', () => console.log('press', ++presses));
  process.stdin.resume();
  console.log('ready');
  await asked;
  process.stdin.once('data', () => { console.log('stopped in order'); process.exit(0); });
`;

const ends: (() => void)[] = [];
afterEach(() => ends.splice(0).forEach((end) => end()));

async function start(samePressMs: number) {
  const child = spawn(process.execPath, [
    ...['--import', 'tsx', '--input-type=module', '--eval', program(samePressMs)],
  ]);
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
