import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../../src/db/client/new-id.ts';
import { findAnswers } from '../../../../src/db/idempotency/idempotency-store.ts';
import { createVault } from '../../../../src/vault/vault.ts';
import { witnessClosedKey } from '../../../../src/modules/payments/closed-key-witness.ts';
import { createOpsHarness, NOW, type OpsHarness } from '../../../support/cli/ops/ops-harness.ts';
import { seedPayingCustomer, type PayingCustomer } from '../../../support/seed-payments.ts';
import { createTestVault, TEST_PEPPERS } from '../../../support/test-vault.ts';

const vault = createTestVault();
let harness: OpsHarness;
let customer: PayingCustomer;
let folder: string;
beforeAll(async () => {
  harness = await createOpsHarness();
  customer = await seedPayingCustomer(harness.database.db);
  folder = mkdtempSync(join(tmpdir(), 'closed-keys-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await harness.close();
});

/** The line that the API wrote when it answered CLOSED. */
const lineOf = (key: string, scope = customer.scope) =>
  JSON.stringify({
    ...{ level: 'info', time: NOW.toISOString(), reqId: 'req_1' },
    ...{ ...witnessClosedKey(vault, scope, key), msg: 'idempotency key closed' },
  });

function reclose(lines: readonly string[]) {
  const file = join(folder, newId('evt'));
  writeFileSync(file, lines.join('\n'));
  return harness.run('idempotency-keys', 'reclose', file, '--operator', 'ada');
}

const isClosed = async (key: string) => {
  const found = await harness.database.db.read(customer.scope, (tx) =>
    findAnswers(tx, customer.scope, [key], NOW),
  );
  return found.get(key)?.closed === true;
};

it('a restored database closes the keys again that the log says were closed, as often as it is told', async () => {
  const log = [
    'no JSON',
    '{"level":"info","msg":"request"}',
    lineOf('one'),
    lineOf('one'),
    lineOf('two'),
  ];
  expect(await isClosed('one')).toBe(false);
  const first = await reclose(log);
  expect(first.printed, first.error).toContain('2 closed again, 0 closed already, 0 not closed.');
  expect(first.code).toBe(0);
  expect([await isClosed('one'), await isClosed('two')]).toEqual([true, true]);
  expect((await reclose(log)).printed).toContain('0 closed again, 2 closed already');
  const audit = await harness.database.db.system((tx) =>
    tx.query(`SELECT actor FROM audit_log WHERE action = 'idempotency_key.close'`, []),
  );
  expect(audit).toEqual([{ actor: 'operator:ada' }, { actor: 'operator:ada' }]);
});

it('restore mode keeps no witnessed key open', async () => {
  await harness.run('restore', 'begin', '--reason', 'test', '--operator', 'ada');
  expect((await reclose([lineOf('while restoring')])).code).toBe(0);
  expect(await isClosed('while restoring')).toBe(true);
});

it('a key that has a payment is named and stays with it, and the others are closed', async () => {
  const { id } = await customer.pay({ fate: 'COMPLETED', at: NOW });
  const key = await harness.database.db.read(customer.scope, (tx) =>
    tx.query<{ key: string }>('SELECT idempotency_key AS key FROM payments WHERE id = $1', [id]),
  );
  const outcome = await reclose([lineOf(key[0]?.key ?? ''), lineOf('beside it')]);
  expect(outcome.code).toBe(1);
  expect(outcome.printed).toContain(`is not closed: it has the payment ${id}`);
  expect(outcome.printed).toContain('1 closed again');
  expect(await isClosed('beside it')).toBe(true);
});

it('a witness that was changed, or is of nobody here, closes nothing', async () => {
  const moved = lineOf('moved').replace(customer.scope.customerId, 'cus_other');
  const stranger = lineOf('stranger', { customerId: 'cus_stranger', environment: 'test' });
  const outcome = await reclose([moved, stranger]);
  expect(outcome.code).toBe(1);
  expect(outcome.printed).toContain('the line was changed, or is of another installation');
  expect(outcome.printed).toContain('the customer is not in this database');
  expect(await isClosed('moved')).toBe(false);
  const otherKey = createVault({
    encryption: new Map([[7, Buffer.alloc(32, 7)]]),
    currentKeyId: 7,
    peppers: TEST_PEPPERS,
  });
  const retired = JSON.stringify(witnessClosedKey(otherKey, customer.scope, 'retired'));
  expect((await reclose([retired])).printed).toContain('has no key of the day of the log');
  const broken = await reclose([lineOf('whole'), lineOf('cut off').slice(0, -20)]);
  expect(broken.error).toContain('Line 2 has a closed key that cannot be read.');
  expect(await isClosed('whole')).toBe(false);
});
