import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findLiveTerms } from '../../../../src/db/customers/live-terms-store.ts';
import { createOpsHarness, type OpsHarness } from '../../../support/cli/ops/ops-harness.ts';

let harness: OpsHarness;
let folder: string;
beforeAll(async () => {
  harness = await createOpsHarness();
  folder = mkdtempSync(join(tmpdir(), 'terms-'));
});
afterAll(async () => {
  await harness.close();
  rmSync(folder, { recursive: true });
});

async function publish(content: string | Buffer) {
  const file = join(folder, 'terms.txt');
  writeFileSync(file, content);
  const act = ['--reason', 'a test', '--operator', 'ada'];
  return harness.run('terms', 'publish', '--file', file, ...act);
}
const inForce = () => harness.database.people.system(findLiveTerms);

describe('terms publish', () => {
  it('puts each text in force as the version after the last one, and writes down who did', async () => {
    expect(await inForce()).toBeNull();
    expect((await publish('First.\r\n\r\nSecond line.\n')).printed).toContain('version 1');
    expect((await publish('Newer.')).printed).toContain('version 2');
    expect(await inForce()).toMatchObject({ version: 2, text: 'Newer.' });
    const rows = await harness.database.people.system((tx) =>
      tx.query<object>(
        `SELECT actor, subject FROM audit_log WHERE action = 'live_terms.publish' ORDER BY id`,
      ),
    );
    expect(rows).toEqual([
      { actor: 'operator:ada', subject: '1' },
      { actor: 'operator:ada', subject: '2' },
    ]);
  });

  it.each([
    ['nothing', ' \n'],
    ['no UTF-8', Buffer.of(0x61, 0xff)],
    ['what steers a terminal', 'a\u001b[2Jb'],
    ['too much', 'x'.repeat(200_001)],
  ])('refuses %s, and what is in force stays', async (_what, content) => {
    const before = await inForce();
    expect((await publish(content)).code).not.toBe(0);
    expect(await inForce()).toEqual(before);
  });

  it('is never changed, also by the role that publishes', async () => {
    await publish('Kept.');
    await expect(
      harness.database.people.system((tx) => tx.query(`UPDATE live_terms SET text = 'x'`)),
    ).rejects.toThrow('permission denied');
  });
});
