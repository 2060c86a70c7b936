import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BROKEN_BUILDS, type BrokenBuild } from './builds.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PATIENCE = 300_000;

interface Ran {
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

/** Runs the one test of a build in a process of its own, with the build broken or as it is. */
async function run({ file, test }: BrokenBuild, broken: string): Promise<readonly Ran[]> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-broken-'));
  try {
    const report = join(folder, 'report.json');
    const child = spawn(
      process.execPath,
      [
        ...['node_modules/vitest/vitest.mjs', 'run', '--project=tidy', file, '-t', test],
        ...['--reporter=json', `--outputFile=${report}`],
      ],
      { cwd: ROOT, stdio: 'ignore', env: { ...process.env, BROKEN_BUILD: broken } },
    );
    await once(child, 'close');
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      readonly testResults: readonly { readonly assertionResults: readonly Ran[] }[];
    };
    return testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ title }) => title === test);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('a check that cannot fail proves nothing', { timeout: PATIENCE }, () => {
  it.each(Object.entries(BROKEN_BUILDS))('%s: a named test turns red', async (name, build) => {
    const [whole] = await run(build, '');
    expect([build.test, whole?.status]).toEqual([build.test, 'passed']);
    const [broken] = await run(build, name);
    expect([build.test, broken?.status]).toEqual([build.test, 'failed']);
    // By what it expects, and not since something else fell over.
    expect(broken?.failureMessages.join('\n')).toMatch(/AssertionError|__VITEST_/);
  });
});
