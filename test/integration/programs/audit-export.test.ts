import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOpsHarness, type OpsHarness } from '../../support/cli/ops/ops-harness.ts';
import { ROOT } from '../../support/docs/markdown.ts';
import { needsProgram } from '../../support/needs-program.ts';
import { auditLogOf } from '../../support/sealed-audit-log.ts';

let ops: OpsHarness;
let lines: string[];
let head: string;
beforeAll(async () => {
  ops = await createOpsHarness();
  const log = auditLogOf(ops.database);
  for (const subject of ['one', 'two ü 💶', 'three']) {
    await log.act(subject, { reason: '"quoted"', amount: 1.5 });
    await log.act(`${subject}, again`);
    await log.seal();
  }
  await log.act('not sealed');
  const newest = log.heads.at(-1);
  head = `${newest?.seal ?? ''}:${newest?.hash ?? ''}`;
  lines = (await ops.run('audit', 'export')).printed.split('\n');
});
afterAll(() => ops.close());

function check(given: readonly string[]) {
  const program = join(ROOT, 'docs/examples/audit/check_export.py');
  const input = given.map((line) => `${line}\n`).join('');
  const { status, stdout, stderr } = spawnSync('python3', ['-B', program], { input });
  return { status, said: `${String(stdout)}${String(stderr)}`.trim() };
}

describe('docs/examples/audit/check_export.py', () => {
  it('follows an export to the seal that the worker logged', (context) => {
    needsProgram(context, 'python3');
    expect(check(lines)).toEqual({ status: 0, said: `newest seal ${head}\nrows after it: 1` });
    // From the second seal on.
    expect(check(lines.slice(3)).status).toBe(0);
  });

  it('refuses a row that was changed, removed or added, and a seal that is missing', (context) => {
    needsProgram(context, 'python3');
    const failed = (seal: number) => ({
      status: 1,
      said: `seal ${String(seal)} does not match its rows or the seal before`,
    });
    expect(check(lines.map((line) => line.replace('"two ', '"2 ')))).toEqual(failed(2));
    expect(check(lines.toSpliced(3, 1))).toEqual(failed(2));
    expect(check(lines.toSpliced(3, 0, lines[0] ?? ''))).toEqual(failed(2));
    expect(check(lines.toSpliced(3, 3))).toEqual(failed(3));
    expect(check(lines.toSpliced(5, 1))).toEqual(failed(3));
  });
});
