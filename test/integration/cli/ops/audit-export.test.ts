import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NO_SEAL_BEFORE } from '../../../../src/domain/audit-seal.ts';
import { createOpsHarness, type OpsHarness } from '../../../support/cli/ops/ops-harness.ts';
import { auditLogOf } from '../../../support/sealed-audit-log.ts';

let ops: OpsHarness;
let now: Date;
/** One seal a day over two rows, from the 1st to the 3rd of November. Then one row that is not sealed yet. */
beforeAll(async () => {
  ops = await createOpsHarness();
  const log = auditLogOf(ops.database, () => now);
  for (const day of ['2026-11-01', '2026-11-02', '2026-11-03']) {
    now = new Date(`${day}T12:00:00Z`);
    await log.act(`${day} a`, { reason: 'ü "x" 💶' });
    await log.act(`${day} b`);
    await log.seal();
  }
  await log.act('not sealed');
});
afterAll(() => ops.close());

async function exported(...options: readonly string[]) {
  const { code, printed } = await ops.run('audit', 'export', ...options);
  expect(code).toBe(0);
  return printed === '' ? [] : printed.split('\n');
}
/** What an auditor reads: rows by their subjects, seals by their numbers. */
const shortly = (lines: readonly string[]) =>
  lines.map((line) => {
    const { seal, subject } = JSON.parse(line) as { seal?: string; subject?: string };
    return seal ?? subject;
  });
const day = (nr: number) => [`2026-11-0${String(nr)} a`, `2026-11-0${String(nr)} b`, String(nr)];

it('audit export prints each row, and each seal after its rows', async () => {
  const lines = await exported();
  expect(shortly(lines)).toEqual([...day(1), ...day(2), ...day(3), 'not sealed']);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    ...{
      id: '1',
      at: '2026-11-01T12:00:00.000000Z',
      actor: 'operator:ada',
      action: 'release.stop',
    },
    ...{ customerId: null, environment: null, subject: '2026-11-01 a' },
    details: { reason: 'ü "x" 💶' },
  });
});

it('audit export prints the bytes that a seal is the hash of', async () => {
  const lines = await exported();
  let before = NO_SEAL_BEFORE;
  for (const at of [0, 3, 6]) {
    const seal = JSON.parse(lines[at + 2] ?? '') as Record<string, string | number>;
    expect(seal['previousHash']).toBe(before);
    const own = [seal['seal'], seal['firstId'], seal['lastId'], seal['rows'], seal['sealedAt']];
    const text = [before, lines[at], lines[at + 1], own.join(' '), ''].join('\n');
    before = createHash('sha256').update(text).digest('hex');
    expect(seal['hash']).toBe(before);
  }
});

it('audit export --from and --to take whole seals, by when they were made', async () => {
  expect(shortly(await exported('--from', '2026-11-02'))).toEqual([
    ...[...day(2), ...day(3), 'not sealed'],
  ]);
  expect(shortly(await exported('--to', '2026-11-02'))).toEqual(day(1));
  const middle = await exported('--from', '2026-11-02', '--to', '2026-11-03T00:00:00Z');
  expect(shortly(middle)).toEqual(day(2));
  expect(shortly(await exported('--from', '2026-11-04'))).toEqual(['not sealed']);
});

it('audit export leaves no seal out between its ends, where the clock of a worker was behind', async () => {
  const late = await createOpsHarness();
  let at = new Date();
  const log = auditLogOf(late.database, () => at);
  for (const day of ['2026-11-02', '2026-11-01', '2026-11-03']) {
    at = new Date(`${day}T12:00:00Z`);
    await log.act(day);
    await log.seal();
  }
  const of = async (...options: readonly string[]) =>
    shortly((await late.run('audit', 'export', ...options)).printed.split('\n'));
  const all = ['2026-11-02', '1', '2026-11-01', '2', '2026-11-03', '3'];
  expect(await of('--from', '2026-11-02')).toEqual(all);
  expect(await of('--to', '2026-11-02')).toEqual(all.slice(0, 4));
  await late.close();
});

it('audit export refuses a time that is none', async () => {
  const { code, error } = await ops.run('audit', 'export', '--from', 'yesterday');
  expect(code).toBe(2);
  expect(error).toContain('It must be a date or a time');
});
