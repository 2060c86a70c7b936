import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { seedPayingCustomer, type PayingCustomer } from '../../support/seed-payments.ts';

const AT = new Date('2026-09-29T12:00:00.000Z');

let harness: PaymentHarness;
let customer: PayingCustomer;
beforeAll(async () => {
  harness = await createPaymentHarness();
  customer = await seedPayingCustomer(harness.database.db);
});
afterAll(() => harness.close());

/** As the application's role, in whichever version of the code. */
const asApp = (sql: string, values: readonly unknown[]) =>
  harness.database.db.write(customer.scope, (tx) => tx.query(sql, values));

const ready = async () => (await customer.pay({ fate: 'READY', at: AT })).id;
const addAttempt = (paymentId: string, number: number, phase: string) =>
  asApp(
    `INSERT INTO settlement_attempts (reference, customer_id, environment, payment_id, number, rail,
       request, phase, sends, sent_at, deadline_at, ask_base_at, created_at, updated_at)
     SELECT 'CW' || upper(substr(id, 5)) || '0' || $2::int, customer_id, environment, id, $2::int, rail,
       '\\x00', $3, 1, created_at, created_at, created_at, created_at, created_at
     FROM payments WHERE id = $1`,
    [paymentId, number, phase],
  );
const closeAttempt = (paymentId: string, phase: string) =>
  asApp('UPDATE settlement_attempts SET phase = $2 WHERE payment_id = $1', [paymentId, phase]);
const move = (paymentId: string, status: string) =>
  asApp('UPDATE payments SET status = $2, version = version + 1 WHERE id = $1', [
    ...[paymentId, status],
  ]);

describe('while an attempt is READY, the database', () => {
  it.each(['SENDING', 'NOT_SENT', 'UNKNOWN', 'ACCEPTED'])(
    'refuses a second one that is %s',
    async (phase) => {
      const id = await ready();
      await expect(addAttempt(id, 2, phase)).rejects.toMatchObject({
        ...{ code: '23505', constraint: 'one_unended_attempt_a_payment' },
      });
    },
  );

  it.each(['COMPLETED', 'FAILED', 'CANCELED', 'EXPIRED'])(
    'refuses that it is %s',
    async (status) => {
      const id = await ready();
      await expect(move(id, status)).rejects.toMatchObject({ code: '23514' });
      await closeAttempt(id, status === 'COMPLETED' ? 'SETTLED' : 'REJECTED');
      await expect(move(id, status)).resolves.toEqual([]);
    },
  );

  it('lets the payment be held and taken up again', async () => {
    const id = await ready();
    await expect(move(id, 'ON_HOLD')).resolves.toEqual([]);
    await expect(move(id, 'PROCESSING')).resolves.toEqual([]);
  });

  it('refuses that anything of it was sent', async () => {
    const id = await ready();
    const send = asApp('UPDATE settlement_attempts SET sends = 1 WHERE payment_id = $1', [id]);
    await expect(send).rejects.toMatchObject({ constraint: 'nothing_of_ready_was_sent' });
  });

  it('knows no other phases than the domain', async () => {
    const id = await ready();
    await expect(closeAttempt(id, 'DONE')).rejects.toMatchObject({
      constraint: 'settlement_attempts_phase_check',
    });
  });
});

it('every guard of an attempt is validated: each row keeps to it', async () => {
  const unvalidated = await harness.rows(
    `SELECT conname FROM pg_constraint
     WHERE conrelid = 'settlement_attempts'::regclass AND NOT convalidated
     UNION ALL SELECT relname FROM pg_index JOIN pg_class ON oid = indexrelid
     WHERE indrelid = 'settlement_attempts'::regclass AND NOT indisvalid`,
  );
  expect(unvalidated).toEqual([]);
});
