import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readNetworkSetups } from '../../../../../src/server/config/chain-config.ts';
import { runVerifyCommand } from '../../../../../src/cli/verify/verify-command.ts';
import {
  startVerifyCluster,
  type VerifyCluster,
} from '../../../../support/cli/verify/verify-cluster.ts';
import { programArguments } from '../../../../../src/cli/embedded/program-arguments.ts';

const root = resolve(import.meta.dirname, '../../../../..');

let cluster: VerifyCluster;
beforeAll(async () => {
  cluster = await startVerifyCluster();
});
afterAll(() => cluster.stop());

interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** As a process of its own. */
function runProcess(...options: readonly string[]): Promise<Finished> {
  const { DATABASE_URL: _none, ...env } = process.env;
  const command = [...programArguments('src/cli/verify.ts'), ...options];
  const child = spawn(process.execPath, command, { cwd: root, env });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  child.stderr.on('data', (chunk) => (err += String(chunk)));
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code) => done({ code, out, err }));
  });
}

/** In this process. A process takes three seconds to start. */
const runVerify = (...args: readonly string[]) => runVerifyWith({}, ...args);

async function runVerifyWith(
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Finished> {
  let out = '';
  let err = '';
  const code = await runVerifyCommand({
    ...{ args, env, readNetworks: () => readNetworkSetups({}) },
    readOperatorKeys: () => Promise.resolve(null),
    out: (text) => (out += `${text}\n`),
    error: (text) => (err += `${text}\n`),
  });
  return { code, out, err };
}

describe('npm run verify', () => {
  it('exits 0 where nothing is violated, and names all twenty-three invariants, the signatures, the seals, and the position in currencies', async () => {
    const { code, out } = await runVerify('--database-url', await cluster.copy());
    const ids = out
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0]);
    expect(ids).toEqual([
      ...Array.from({ length: 23 }, (_, index) => `I${index + 1}`),
      'SIGNED',
      'SEALED',
      'FX',
    ]);
    expect(code).toBe(0);
  });

  it('exits 1 on a violation and says which row, to people and to programs', async () => {
    const url = await cluster.copy("UPDATE balances SET pending = 5 WHERE currency = 'EUR'");
    const { code, out } = await runProcess('--database-url', url);
    expect(out).toContain('I5 balances equal their entries ... 1 violation (2 checked)');
    expect(out).toContain('EUR pending: stored 5, entries sum to 0');
    expect(code).toBe(1);
    const programs = await runVerify('--database-url', url, '--json');
    const answer = JSON.parse(programs.out);
    expect(answer.ok).toBe(false);
    expect(answer.invariants[4]).toMatchObject({ id: 'I5', status: 'violated', violations: 1 });
    expect(programs.code).toBe(1);
  });

  it('says of chains that no file names that they were not looked at', async () => {
    const { code, out } = await runVerify('--database-url', await cluster.copy(), '--chain');
    expect(out).toMatch(/^I19 .* SKIPPED: needs TEST_NETWORKS_FILE or LIVE_NETWORKS_FILE$/m);
    expect(code).toBe(0);
  });

  it('judges the seals of the audit log by PEPPER, and by a seal that was kept', async () => {
    const url = await cluster.copy();
    const pepper = { PEPPER: Buffer.alloc(32, 2).toString('base64') };
    const judged = await runVerifyWith(pepper, '--database-url', url);
    expect(judged.out).toMatch(/^SEALED .* 0 violations \(\d+ checked\)$/m);
    expect((await runVerifyWith({ PEPPER: '1:x' }, '--database-url', url)).code).toBe(2);
    const kept = ['--audit-seal', `7:${'a'.repeat(64)}`];
    const { code, out } = await runVerify('--database-url', url, ...kept);
    expect(out).toContain('seal 7: is not there with the hash that was kept');
    expect(code).toBe(1);
    expect((await runVerify('--database-url', url, '--audit-seal', '7')).code).toBe(2);
  });

  it.each([
    ['no database is named', runVerify, []],
    // A process of its own shows that it ends, too.
    ['the database does not answer', runProcess, ['--database-url', 'postgres://x@127.0.0.1:1/x']],
    ['an option is unknown', runVerify, ['--databas-url', 'postgres://x@127.0.0.1:1/x']],
  ])('exits 2 where %s', async (_what, run, options) => {
    const { code, out, err } = await run(...options);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).not.toBe('');
  });
});
