import { afterAll, beforeAll, expect, it } from 'vitest';
import { listStuckPayments } from '../../../src/db/operations/ops-store.ts';
import {
  createPaymentListHarness,
  minute,
  type PaymentListHarness,
} from '../../support/payment-list-harness.ts';
import { seedPaymentTable } from '../../support/seed-payment-table.ts';

const COUNT = 5_000;
const LIMIT = 10;
const NOW = minute(COUNT);

let harness: PaymentListHarness;
beforeAll(async () => {
  harness = await createPaymentListHarness(COUNT);
  for (const [part, status] of ['ON_HOLD', 'PROCESSING', 'SENT'].entries()) {
    await seedPaymentTable(harness.database.url, {
      ...{ scope: harness.scope, count: 1_000, firstNumber: COUNT + 1 + part * 1_000 },
      ...{ from: minute(part * 1_000), externalId: 'NULL', status: `'${status}'` },
      ...{ endUserId: `'eu_a'`, bankAccountId: `'ba_a'` },
    });
  }
});
afterAll(() => harness.close());

it('the list of what is stuck reads about as many rows as it shows, and says that there are more', async () => {
  const since = { PROCESSING: NOW, SENT: NOW };
  const stuck = await harness.database.db.system(async (tx) => {
    await tx.query('SET LOCAL plan_cache_mode = force_generic_plan');
    const listed = await listStuckPayments(tx, { live: since, test: since }, LIMIT);
    const [row] = await tx.query<{ read: bigint }>(
      `SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) AS read
       FROM pg_stat_xact_user_tables WHERE relname = 'payments'`,
    );
    return { ...listed, read: Number(row?.read) };
  });
  expect(stuck.hasMore).toBe(true);
  const first = Array.from({ length: LIMIT }, (_none, index) => minute(index + 1));
  expect(stuck.payments.map(({ status }) => status)).toEqual(first.map(() => 'ON_HOLD'));
  expect(stuck.payments.map(({ heldSince }) => heldSince)).toEqual(first);
  expect(stuck.read).toBeLessThanOrEqual(4 * (LIMIT + 1));
});

it('a payment that is held and contradicts the bank is listed once', async () => {
  const long = { PROCESSING: minute(-1), SENT: minute(-1) };
  const { db } = harness.database;
  const numbers = [1, 2, 3, COUNT + 1, COUNT + 2, COUNT + 3];
  const ids = numbers.map((number) => `pay_${String(number).padStart(26, '0')}`);
  await db.system((tx) =>
    tx.query(
      `UPDATE payments SET reconciliation_status = 'EXCEPTION', version = version + 1
       WHERE id = ANY ($1)`,
      [ids],
    ),
  );
  const { payments } = await db.system((tx) =>
    listStuckPayments(tx, { live: long, test: long }, 2_000),
  );
  expect(new Set(payments.map(({ id }) => id)).size).toBe(payments.length);
  expect(payments).toHaveLength(1_003);
});
