import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { BROKEN_BUILDS, type BrokenBuild } from './builds.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const PATIENCE = 900_000;
const BUILDS = Object.entries(BROKEN_BUILDS);

interface Ran {
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

interface RanFile {
  /** The path of the file. */
  readonly name: string;
  /** Why the file itself failed, as where it cannot be loaded. */
  readonly message: string;
  readonly assertionResults: readonly Ran[];
}

type NamedTest = Pick<BrokenBuild, 'file' | 'test'>;

/**
 * Runs named tests in one process, with one build broken or none (''). The process clones the migrated
 * template of this run: it starts no server and runs no migration.
 */
async function run(tests: readonly NamedTest[], broken: string): Promise<readonly RanFile[]> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-broken-'));
  try {
    const report = join(folder, 'report.json');
    const files = [...new Set(tests.map(({ file }) => file))];
    const titles = [...new Set(tests.map(({ test }) => escapeRegExp(test)))];
    const child = spawn(
      process.execPath,
      [
        ...['node_modules/vitest/vitest.mjs', 'run', '--project=tidy', ...files],
        ...['-t', `(${titles.join('|')})$`, '--reporter=json', `--outputFile=${report}`],
      ],
      {
        cwd: ROOT,
        stdio: 'ignore',
        timeout: PATIENCE,
        env: { ...process.env, BROKEN_BUILD: broken, TEST_POSTGRES_URL: inject('postgresUrl') },
      },
    );
    await once(child, 'close');
    return (JSON.parse(readFileSync(report, 'utf8')) as { readonly testResults: RanFile[] })
      .testResults;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const escapeRegExp = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');

/** How the named test ended. Where it did not run: why its file did not. */
function outcomeOf({ file, test }: NamedTest, ran: readonly RanFile[]): Ran {
  const found = ran.find(({ name }) => name === resolve(ROOT, file));
  const notRun = { title: test, status: 'not run', failureMessages: [found?.message ?? 'no file'] };
  return found?.assertionResults.find(({ title }) => title === test) ?? notRun;
}

describe('a check that cannot fail proves nothing', { timeout: PATIENCE }, () => {
  let sound: readonly RanFile[];
  beforeAll(async () => {
    const tests = BUILDS.map(([, build]) => build);
    sound = await run(tests, '');
  }, PATIENCE);

  it.concurrent.each(BUILDS)('%s: a named test turns red', async (name, build) => {
    const whole = outcomeOf(build, sound);
    expect(whole).toEqual({ ...whole, status: 'passed' });
    const broken = outcomeOf(build, await run([build], name));
    expect(broken).toEqual({ ...broken, status: 'failed' });
    // By what it expects, and not since something else fell over.
    expect(broken.failureMessages.join('\n')).toMatch(/AssertionError|__VITEST_/);
  });
});
