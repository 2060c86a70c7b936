import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { programArguments } from '../../../../src/cli/embedded/program-arguments.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cw-run-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const write = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
};
const run = (...args: string[]) =>
  spawnSync(process.execPath, [...programArguments(join(folder, 'program.ts')), ...args], {
    encoding: 'utf8',
  });

it('runs the sources as they are now, also where only an imported one has changed', () => {
  write('word.ts', `export const word: string = 'before';`);
  write(
    'program.ts',
    `import { word } from './word.ts';
     console.log(word, import.meta.dirname, process.argv.slice(1).join(' '));`,
  );
  const own = join(folder, 'program.ts');
  expect(run('--flag', 'x').stdout).toBe(`before ${folder} ${own} --flag x\n`);
  write('word.ts', `export const word: string = 'afterwards';`);
  expect(run().stdout).toBe(`afterwards ${folder} ${own}\n`);
  expect(run().stdout).toBe(`afterwards ${folder} ${own}\n`);
});

it('names the line of the source where a program fails', () => {
  write('program.ts', `interface Unused { a: 1 }\n\nthrow new Error('it fails');\n`);
  const { status, stderr } = run();
  expect(status).toBe(1);
  expect(stderr).toContain(`${join(folder, 'program.ts')}:3`);
});

it('names the file and the line of a source that cannot be read, and does not run what was built before', () => {
  write('program.ts', `console.log('runs');\nconst = 1;\n`);
  const { status, stdout, stderr } = run();
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/program\.ts:2:6/);
});
