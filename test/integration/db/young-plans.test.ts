import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ScopedTransaction } from '../../../src/db/client/database.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { seedPayingCustomer, type PayingCustomer } from '../../support/seed-payments.ts';

const AT = new Date('2026-09-29T12:00:00.000Z');
const PAYMENTS = 60;
/** A foreign key finds its row with one look, and an insert that is refused would look once more. */
const ROWS_MAX = 4;

let harness: PaymentHarness;
let customer: PayingCustomer;
let last: string;
beforeAll(async () => {
  harness = await createPaymentHarness();
  customer = await seedPayingCustomer(harness.database.db);
  for (let nth = 0; nth < PAYMENTS; nth += 1) {
    ({ id: last } = await customer.pay({ fate: 'COMPLETED', at: AT }));
  }
});
afterAll(() => harness.close());

/** Rows of payments that this transaction has read, by index and in sequence. */
async function readRows(tx: ScopedTransaction): Promise<number> {
  const [row] = await tx.query<{ rows: number }>(
    `SELECT (idx_tup_fetch + seq_tup_read)::int AS rows FROM pg_stat_xact_user_tables
     WHERE relname = $1`,
    ['payments'],
  );
  if (row === undefined) throw new Error('PostgreSQL tells nothing of payments');
  return row.rows;
}

it('a new database finds one payment of a customer among others by its key', async () => {
  await harness.database.db.write(customer.scope, async (tx) => {
    for (const sql of [
      `INSERT INTO payment_history (customer_id, environment, payment_id, version, status,
         status_detail, funds_status, reconciliation_status, actor, at)
       VALUES ($1, $2, $3, 99, 'COMPLETED', 'SETTLED', 'RESERVED', 'PENDING', 'system', now())`,
      `SELECT FROM payments WHERE customer_id = $1 AND environment = $2 AND id = ANY (ARRAY[$3])
       FOR UPDATE`,
    ]) {
      const before = await readRows(tx);
      await tx.query(sql, [customer.scope.customerId, customer.scope.environment, last]);
      expect((await readRows(tx)) - before, sql).toBeLessThanOrEqual(ROWS_MAX);
    }
  });
});
