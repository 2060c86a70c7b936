import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness();
});
afterAll(() => harness.close());

/** As the application's role, in whichever version of the code. */
const asApp = (sql: string, values: readonly unknown[]) =>
  harness.database.db.write(harness.scope, (tx) => tx.query(sql, values));

const schedule = () => harness.accept({ scheduledFor: '2026-10-05' });
const addAttempt = (paymentId: string, phase: string, at: string) =>
  asApp(
    `INSERT INTO settlement_attempts (reference, customer_id, environment, payment_id, number, rail,
       request, phase, sends, sent_at, deadline_at, ask_base_at, created_at, updated_at)
     SELECT 'CW' || upper(substr(id, 5)) || '01', customer_id, environment, id, 1, rail,
       '\\x00', $2, 1, $3, $3, $3, $3, $3
     FROM payments WHERE id = $1`,
    [paymentId, phase, at],
  );

describe('of a payment for a later day, the database', () => {
  it.each(['SENDING', 'UNKNOWN'])(
    'takes no attempt that is %s before its release, from a worker that knows no schedule either',
    async (phase) => {
      const id = await schedule();
      const early = addAttempt(id, phase, '2026-10-04T21:59:59.999Z');
      await expect(early).rejects.toMatchObject({ code: '23514' });
      await expect(addAttempt(id, phase, '2026-10-04T22:00:00.000Z')).resolves.toEqual([]);
    },
  );

  it('keeps day and release as they were ordered, and both or neither', async () => {
    const id = await schedule();
    for (const change of [
      "release_at = '2026-09-29T12:00:00Z'",
      "scheduled_for = '2026-09-30'",
      'scheduled_for = NULL, release_at = NULL',
    ]) {
      const sql = `UPDATE payments SET ${change}, version = version + 1 WHERE id = $1`;
      await expect(asApp(sql, [id]), change).rejects.toMatchObject({ code: '23514' });
    }
    const [row] = await harness.rows<{ torn: string }>(
      `SELECT count(*)::text AS torn FROM payments
       WHERE (scheduled_for IS NULL) <> (release_at IS NULL)`,
    );
    expect(row?.torn).toBe('0');
  });

  it('refuses that it is CANCELED while an attempt is open', async () => {
    const id = await schedule();
    await addAttempt(id, 'SENDING', '2026-10-05T10:00:00.000Z');
    const move = asApp(
      "UPDATE payments SET status = 'CANCELED', version = version + 1 WHERE id = $1",
      [id],
    );
    await expect(move).rejects.toMatchObject({ code: '23514' });
  });
});
