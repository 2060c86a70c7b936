import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../../src/db/client/new-id.ts';
import { finalise, reconcileByHand } from '../../../support/finalise.ts';
import { seedPayingCustomer, type PayingCustomer } from '../../../support/seed-payments.ts';
import { closeEndUser } from '../../../support/close-end-user.ts';
import { createOpsHarness, type OpsHarness } from '../../../support/cli/ops/ops-harness.ts';

let harness: OpsHarness;
let folder: string;
beforeAll(async () => {
  harness = await createOpsHarness();
  folder = mkdtempSync(join(tmpdir(), 'erasures-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await harness.close();
});

const AT = new Date('2026-01-02T00:00:00.000Z');
/** A minute later: whatever completed then cannot come back any more. */
const clock = { now: () => new Date(AT.getTime() + 60_000) };

async function addClosed(): Promise<PayingCustomer & { endUserId: string }> {
  const customer = await seedPayingCustomer(harness.database.db);
  const [row] = await harness.database.db.read(customer.scope, (tx) =>
    tx.query<{ id: string }>('SELECT id FROM end_users'),
  );
  const endUserId = row?.id ?? '';
  await closeEndUser(harness.database.db, customer.scope, endUserId, AT);
  return { ...customer, endUserId };
}

const lineOf = ({ scope, endUserId }: Awaited<ReturnType<typeof addClosed>>) =>
  `${scope.customerId} ${scope.environment} ${endUserId}`;

function reapply(lines: readonly string[]) {
  const file = join(folder, newId('evt'));
  writeFileSync(file, lines.join('\n'));
  return harness.run('erasures', 'reapply', file, '--operator', 'ada');
}

it('who was erased is listed, and a restored database erases them again from the list', async () => {
  const former = await addClosed();
  const first = await reapply([lineOf(former)]);
  expect(first).toMatchObject({ code: 0 });
  expect(first.printed).toContain('1 erased, 0 already erased');

  const listed = await harness.run('erasures', 'list');
  const line = listed.printed.split('\n').find((one) => one.includes(former.endUserId)) ?? '';
  expect(line).toMatch(new RegExp(`^${lineOf(former)} 20[0-9T:.-]+Z$`));
  const again = await reapply([listed.printed]);
  expect(again.printed).toContain('0 erased, 1 already erased');
  const later = await harness.run('erasures', 'list', '--since', '2999-01-01');
  expect(later.printed).toBe('');
  const audit = await harness.database.db.system((tx) =>
    tx.query(`SELECT actor FROM audit_log WHERE action = 'end_user.erase' AND subject = $1`, [
      former.endUserId,
    ]),
  );
  expect(audit).toEqual([{ actor: 'operator:ada' }]);
});

it('who may still be paid is not erased: the line is named, the others are done', async () => {
  const [paid, former] = [await addClosed(), await addClosed()];
  await paid.pay({ fate: 'COMPLETED', at: AT });
  const unknown = `${former.scope.customerId} live ${former.endUserId}`;
  const { code, printed } = await reapply([lineOf(paid), unknown, lineOf(former)]);
  expect(code).toBe(1);
  expect(printed.split('\n')).toEqual([
    `${paid.endUserId} is not erased: payments_not_final`,
    '1 erased, 0 already erased, 1 not in this database, 1 refused.',
  ]);
});

it('a file that is no list erases no end-user', async () => {
  const former = await addClosed();
  const { code, error } = await reapply([lineOf(former), 'DROP TABLE']);
  expect(code).toBe(1);
  expect(error).toBe('Line 2 is not a line of erasures list.');
  const listed = await harness.run('erasures', 'list');
  expect(listed.printed).not.toContain(former.endUserId);
});

it('payments of an erased end-user are shown, and change on by versions alone', async () => {
  const former = await addClosed();
  const { id } = await former.pay({ fate: 'COMPLETED', at: AT });
  const admin = new pg.Client({ connectionString: harness.database.url });
  await admin.connect();
  try {
    const change = (set: string) => admin.query(`UPDATE payments SET ${set} WHERE id = $1`, [id]);
    const blank = () => change("personal = ''");
    await expect(blank()).rejects.toThrow('only of an erased end-user');
    await reconcileByHand(harness.database.db, clock, former.scope, id);
    await finalise(harness.database.db, clock);
    expect(await reapply([lineOf(former)])).toMatchObject({ code: 0 });
    expect(await harness.run('payments', 'show', id)).toMatchObject({ code: 0 });
    await expect(change("status_detail = 'DELIVERED'")).rejects.toThrow('cannot follow');
    await change("reconciliation_status = 'EXCEPTION', version = version + 1");
    const { rows } = await admin.query('SELECT personal FROM payments WHERE id = $1', [id]);
    expect(rows).toEqual([{ personal: Buffer.alloc(0) }]);
  } finally {
    await admin.end();
  }
});

it.each([
  '9999-12-31T23:59:59-12:00',
  '0000-01-01',
  '2026-02-30',
  '2026-11-22T04:00:00',
  '2026-11-22 or so',
])('erasures are not listed since %s, which is no moment', async (since) => {
  const { code } = await harness.run('erasures', 'list', '--since', since);
  expect(code).toBe(2);
});
